// The examples in this repository, to be copied from the demo with its application filled in.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const directory = join(import.meta.dirname, '../../../examples');

const files = [
  ['HTML', 'html/index.html'],
  ['React', 'react/App.tsx'],
  ['Express', 'html/server.ts'],
] as const;

export type Example = { name: string; file: string; text: string };

/** The contents of the examples for one application of the service at `baseUrl`. */
export const readExamples = (settings: { baseUrl: string; applicationId: string }): Promise<Example[]> =>
  Promise.all(
    files.map(async ([name, file]) => ({
      name,
      file: file.split('/')[1]!,
      text: fillIn(await readFile(join(directory, file), 'utf8'), settings),
    })),
  );

const fillIn = (text: string, { baseUrl, applicationId }: { baseUrl: string; applicationId: string }) =>
  text
    .replaceAll("'{{APPLICATION_ID}}',", `'${applicationId}',`)
    .replaceAll('{{BASE_URL}}/', `${baseUrl}/`)
    .replace(
      /import .* from '.\/settings.ts';/,
      `\nconst baseUrl = '${baseUrl}';\nconst applicationId = '${applicationId}';`,
    )
    .replace("BASE_URL = 'http://localhost:3000'", `BASE_URL = '${baseUrl}'`)
    .replace("APPLICATION_ID = ''", `APPLICATION_ID = '${applicationId}'`);
