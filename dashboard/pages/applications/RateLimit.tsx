// Limits requests from the application's backends. Owners can only lower the operator's limit.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage, type Schemas } from '../../api/apiClient.ts';
import { type Application, rateLimitQuery, setRateLimit } from '../../api/applications.ts';
import { useApiMutation } from '../../api/queryClient.ts';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { QueryError } from '../../components/ErrorNotice.tsx';
import { Field } from '../../components/Field.tsx';
import { FormActions } from '../../components/FormActions.tsx';
import { Modal } from '../../components/Modal.tsx';
import { Notice } from '../../components/Notice.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { formatNumber } from '../../format.ts';
import { useOrgContext } from '../../shell/orgContext.ts';

type Limit = Schemas['RateLimit'];

const note = 'The number of requests your backends may send. A lower limit stops a runaway loop.';

export const RateLimit = ({ application }: { application: Application }) => {
  const { hasRole } = useOrgContext();
  const query = useQuery(rateLimitQuery(application.id));
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <Card
      title="Rate limit"
      description={note}
      actions={
        hasRole('owner') && (
          <Button compact isDisabled={!query.data} onPress={() => setOpen(true)}>
            Change
          </Button>
        )
      }
    >
      <QueryError query={query} />
      {query.isPending && <Skeleton lines={1} />}
      {query.data && <p>{describe(query.data)}</p>}
      {query.data && (
        <Modal title="Change rate limit" isOpen={isOpen} onClose={close}>
          <RateLimitForm application={application} limit={query.data} onClose={close} />
        </Modal>
      )}
    </Card>
  );
};

const describe = ({ requestsPerMinute, operatorRequestsPerMinute }: Limit): string => {
  const counts = Math.min(requestsPerMinute ?? operatorRequestsPerMinute, operatorRequestsPerMinute);
  const source =
    requestsPerMinute === counts
      ? `out of the ${formatNumber(operatorRequestsPerMinute)} that the operator allows`
      : 'the operator’s maximum';
  return `${formatNumber(counts)} requests per minute, ${source}.`;
};

type FormProps = { application: Application; limit: Limit; onClose: () => void };

const RateLimitForm = ({ application, limit, onClose }: FormProps) => {
  const max = limit.operatorRequestsPerMinute;
  const [text, setText] = useState(String(limit.requestsPerMinute ?? ''));
  const setting = useApiMutation((value: number | null) => setRateLimit(application.id, value), {
    invalidates: [['application', application.id, 'rateLimit']],
    onSuccess: onClose,
  });
  const validate = (value: string): string | null => {
    const isValid =
      value.trim() === '' || (/^\d+$/.test(value.trim()) && Number(value) >= 1 && Number(value) <= max);
    return isValid ? null : `Enter a whole number from 1 to ${formatNumber(max)}, or leave it empty.`;
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setting.mutate(text.trim() === '' ? null : Number(text));
      }}
    >
      {setting.error && <Notice tone="bad">{errorMessage(setting.error)}</Notice>}
      <Field
        label="Requests per minute"
        hint={`At most ${formatNumber(max)}. Leave it empty for the operator’s maximum.`}
        inputMode="numeric"
        autoFocus
        value={text}
        onChange={setText}
        validate={validate}
      />
      <FormActions onCancel={onClose} isPending={setting.isPending}>
        Save
      </FormActions>
    </form>
  );
};
