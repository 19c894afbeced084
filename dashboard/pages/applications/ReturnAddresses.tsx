// Where native applications get users back from banks' own pages.
import type { Application } from '../../api/applications.ts';
import { AddressList } from './AddressList.tsx';

const parse = (text: string): string[] => [...new Set(text.split(/\s+/).filter(Boolean))];

const validate = (text: string): string | null => {
  const invalid = parse(text).find((address) => !/^[a-z][a-z\d+.-]*:\/\/[^?#]+$/.test(address));
  return invalid
    ? `“${invalid}” is not a return address. Write it as shop://bank-return, without a query.`
    : null;
};

export const ReturnAddresses = ({ application }: { application: Application }) => (
  <AddressList
    application={application}
    addresses={application.returnAddresses}
    title="Return addresses"
    description="Where a native application gets users back after they have signed in on a bank’s own page: a universal link or app link, or an address of its own scheme."
    empty="None: users of a native application type a code when they come back from a bank’s own page."
    label="Return addresses, one on each line"
    placeholder="https://shop.example/bank-return"
    parse={parse}
    validate={validate}
    toUpdate={(returnAddresses) => ({ returnAddresses })}
  />
);
