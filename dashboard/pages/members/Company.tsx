// Edits the company that end users see in the consent, with the URLs of its policies.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage, type Schemas } from '../../api/apiClient.ts';
import { companyQuery, setCompany } from '../../api/members.ts';
import { useApiMutation } from '../../api/queryClient.ts';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { QueryError } from '../../components/ErrorNotice.tsx';
import { Field } from '../../components/Field.tsx';
import { Notice } from '../../components/Notice.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';

type CompanyValues = Schemas['Company'];

export const Company = () => {
  const { organization } = useOrgContext();
  const query = useQuery(companyQuery(organization.id));
  return (
    <Card
      title="Company"
      description="The consent names this company as the recipient of users’ data and links to its policies. If you change it, users who reconnect are asked for consent again."
    >
      <QueryError query={query} />
      {query.isPending && <Skeleton lines={6} />}
      {query.data && <CompanyForm company={query.data} />}
    </Card>
  );
};

/** Omits empty values, which the service then removes. */
const filledIn = (values: CompanyValues): CompanyValues =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, text]) => (text.trim() ? [[key, text.trim()]] : [])),
  );

const CompanyForm = ({ company }: { company: CompanyValues }) => {
  const { organization } = useOrgContext();
  const [values, setValues] = useState({ name: '', privacyUrl: '', termsUrl: '', ...company });
  const saving = useApiMutation((body: CompanyValues) => setCompany(organization.id, body), {
    invalidates: [['company', organization.id]],
  });
  const change = (key: keyof CompanyValues) => (text: string) => setValues({ ...values, [key]: text });
  const body = filledIn(values);
  const isSame = (['name', 'privacyUrl', 'termsUrl'] as const).every((key) => body[key] === company[key]);
  return (
    <form
      className="narrow-form"
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate(body);
      }}
    >
      {saving.error && <Notice tone="bad">{errorMessage(saving.error)}</Notice>}
      {saving.isSuccess && isSame && <Notice tone="good">The company was saved.</Notice>}
      <Field
        label="Company name"
        hint="Without it, the consent names only the application."
        isRequired={Boolean(body.privacyUrl || body.termsUrl)}
        maxLength={100}
        value={values.name}
        onChange={change('name')}
      />
      <Field
        label="Privacy policy"
        hint="An https URL."
        type="url"
        pattern="https://.+"
        maxLength={500}
        value={values.privacyUrl}
        onChange={change('privacyUrl')}
      />
      <Field
        label="Terms"
        hint="An https URL."
        type="url"
        pattern="https://.+"
        maxLength={500}
        value={values.termsUrl}
        onChange={change('termsUrl')}
      />
      <Button type="submit" isDisabled={isSame} isPending={saving.isPending}>
        Save company
      </Button>
    </form>
  );
};
