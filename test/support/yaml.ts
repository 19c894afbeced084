// Reads YAML as the service does, and also merge keys (`<<`), which Compose files use.
import { CORE_SCHEMA, load, loadAll, mergeTag } from 'js-yaml';

const schema = CORE_SCHEMA.withTags(mergeTag);

/** The documents of a YAML text. */
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects in it.
export const parseAllYaml = (text: string): any[] => loadAll(text, { schema });

/** The one document of a YAML text. */
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects in it.
export const parseYaml = (text: string): any => load(text, { schema });
