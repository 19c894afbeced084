// Creates an organization token with a name, role, scopes and expiry, and shows it once.
import { useState } from 'react';
import { errorMessage, type Schemas } from '../../api/apiClient.ts';
import { useApiMutation } from '../../api/queryClient.ts';
import type { Role } from '../../api/session.ts';
import { createToken, type TokenScope } from '../../api/tokens.ts';
import { Field } from '../../components/Field.tsx';
import { FormActions } from '../../components/FormActions.tsx';
import { Modal } from '../../components/Modal.tsx';
import { Notice } from '../../components/Notice.tsx';
import { OneTimeSecretModal } from '../../components/OneTimeSecretModal.tsx';
import { Select } from '../../components/Select.tsx';
import { roleLabels, roles } from '../../labels/roles.ts';
import { scopeLabels, scopes } from '../../labels/tokenScopes.ts';
import { useOrgContext } from '../../shell/orgContext.ts';

const roleOptions = roles.map((value) => ({ value, label: roleLabels[value].label }));

const expiryOptions = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
] as const;

type Days = (typeof expiryOptions)[number]['value'];

export const NewToken = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
  const [secret, setSecret] = useState<string>();
  return (
    <>
      <Modal title="New organization token" isOpen={isOpen} onClose={onClose}>
        <NewTokenForm
          onClose={onClose}
          onCreated={(created) => {
            onClose();
            setSecret(created.secret);
          }}
        />
      </Modal>
      <OneTimeSecretModal
        title="Your organization token"
        label="token"
        secret={secret}
        onClose={() => setSecret(undefined)}
      >
        Store it as a secret of your CI, and send it with every request in the header{' '}
        <code>Authorization: Bearer …</code>
      </OneTimeSecretModal>
    </>
  );
};

type FormProps = { onClose: () => void; onCreated: (created: Schemas['CreatedOrganizationToken']) => void };

const NewTokenForm = ({ onClose, onCreated }: FormProps) => {
  const { organization } = useOrgContext();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('developer');
  const [chosen, setChosen] = useState<TokenScope[]>(['read']);
  const [days, setDays] = useState<Days>('90');
  const creating = useApiMutation(
    (body: Schemas['NewOrganizationToken']) => createToken(organization.id, body),
    { invalidates: [['tokens', organization.id]], onSuccess: onCreated },
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const expiresAt = new Date(Date.now() + Number(days) * 86_400_000).toISOString();
        creating.mutate({ name: name.trim(), role, scopes: chosen, expiresAt });
      }}
    >
      {creating.error && <Notice tone="bad">{errorMessage(creating.error)}</Notice>}
      <Field
        label="Name"
        hint="Where it is used, for example “CI, checkout”."
        isRequired
        maxLength={100}
        autoFocus
        value={name}
        onChange={setName}
      />
      <Select label="Role" value={role} options={roleOptions} onChange={setRole} />
      <ScopeFields chosen={chosen} onChange={setChosen} />
      <Select label="Expires" value={days} options={expiryOptions} onChange={setDays} />
      {chosen.length === 0 && <p className="muted">Select at least one scope.</p>}
      <FormActions onCancel={onClose} isPending={creating.isPending}>
        Create token
      </FormActions>
    </form>
  );
};

type ScopeFieldsProps = { chosen: TokenScope[]; onChange: (chosen: TokenScope[]) => void };

const ScopeFields = ({ chosen, onChange }: ScopeFieldsProps) => (
  <fieldset className="radio-cards">
    <legend>Scopes</legend>
    {scopes.map((scope) => (
      <label key={scope} className="radio-card">
        <input
          type="checkbox"
          checked={chosen.includes(scope)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(checked ? [...chosen, scope] : chosen.filter((one) => one !== scope))
          }
        />
        <strong>{scopeLabels[scope].label}</strong>
        <span className="hint">{scopeLabels[scope].hint}</span>
      </label>
    ))}
  </fieldset>
);
