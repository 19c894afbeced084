// Two rules for contracts that the linter lacks. redocly.yaml uses them.
import { Ajv2020 } from 'ajv/dist/2020.js';

type Schema = { type?: string | string[]; items?: unknown; default?: unknown };
type Location = { key(): Location; child(name: string): Location };
type Visit = (
  schema: Schema,
  context: { report(problem: { message: string; location: Location }): void; location: Location },
) => void;

const ajv = new Ajv2020({ strict: false, validateFormats: false });

const arrayItems: Visit = (schema, { report, location }) => {
  if ([schema.type].flat().includes('array') && schema.items === undefined)
    report({ message: 'An array needs `items`.', location: location.key() });
};

const validDefault: Visit = (schema, { report, location }) => {
  if (schema.default !== undefined && !ajv.validate(schema, schema.default))
    report({ message: `The default ${ajv.errorsText()}.`, location: location.child('default') });
};

export default () => ({
  id: 'contracts',
  rules: {
    oas3: {
      'array-items': () => ({ Schema: arrayItems }),
      'valid-default': () => ({ Schema: validDefault }),
    },
  },
});
