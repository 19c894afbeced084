// Changes an application's logo and color in the widget, with a live preview.
import { useState } from 'react';
import { errorMessage } from '../../api/apiClient.ts';
import { type Application, removeApplicationLogo, setApplicationLogo } from '../../api/applications.ts';
import { useApiMutation } from '../../api/queryClient.ts';
import { Avatar } from '../../components/Avatar.tsx';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { Field } from '../../components/Field.tsx';
import { FileButton } from '../../components/FileButton.tsx';
import { Notice } from '../../components/Notice.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';
import { useUpdateApplication } from './useUpdateApplication.ts';
import { WidgetPreview } from './WidgetPreview.tsx';

const acceptedFileTypes = ['image/png', 'image/jpeg', 'image/webp'];
const usualColor = '#0b6b6f';
const isColor = (text: string): boolean => /^#[\da-f]{6}$/i.test(text);

export const Appearance = ({ application }: { application: Application }) => {
  const { hasRole } = useOrgContext();
  const [color, setColor] = useState(application.color ?? '');
  const previewed = isColor(color) ? color : color === '' ? undefined : application.color;
  return (
    <Card title="Appearance" description="How your application looks to users when they connect a bank.">
      <div className="appearance">
        <div className="stack">
          <Logo application={application} />
          {hasRole('developer') && <ColorForm application={application} color={color} onChange={setColor} />}
        </div>
        <WidgetPreview application={{ ...application, color: previewed }} />
      </div>
    </Card>
  );
};

const Logo = ({ application }: { application: Application }) => {
  const { id, organizationId, name, logo } = application;
  const { hasRole } = useOrgContext();
  const change = useApiMutation(
    (file: File | undefined) => (file ? setApplicationLogo(id, file) : removeApplicationLogo(id)),
    {
      invalidates: [
        ['application', id],
        ['applications', organizationId],
      ],
    },
  );
  return (
    <section className="stack tight" aria-labelledby="logo-title">
      <h3 id="logo-title">Logo</h3>
      {change.error && <Notice tone="bad">{errorMessage(change.error)}</Notice>}
      <div className="row">
        <Avatar name={name} logo={logo} />
        {hasRole('developer') && (
          <>
            <FileButton
              compact
              accept={acceptedFileTypes}
              isDisabled={change.isPending}
              onFile={change.mutate}
            >
              {logo ? 'Replace' : 'Upload'}
            </FileButton>
            {logo && (
              <Button compact isDisabled={change.isPending} onPress={() => change.mutate(undefined)}>
                Remove
              </Button>
            )}
          </>
        )}
      </div>
      <p className="hint">
        {logo ? 'PNG' : 'Without a logo, users see initials. PNG'}, JPEG or WebP, at most 100 kB and 512 × 512
        pixels.
      </p>
    </section>
  );
};

type ColorFormProps = { application: Application; color: string; onChange: (color: string) => void };

const ColorForm = ({ application, color, onChange }: ColorFormProps) => {
  const update = useUpdateApplication(application);
  return (
    <form
      className="stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        update.mutate({ color: color === '' ? null : color });
      }}
    >
      {update.error && <Notice tone="bad">{errorMessage(update.error)}</Notice>}
      <div className="row color-row">
        <Field
          label="Color"
          hint="For buttons and links. It’s darkened or lightened if the contrast is too low."
          placeholder={usualColor}
          mono
          maxLength={7}
          value={color}
          onChange={(text) => onChange(text.trim())}
          validate={(text) => (text === '' || isColor(text) ? null : 'Enter a color such as #0b6b6f.')}
        />
        <input
          type="color"
          aria-label="Pick a color"
          value={isColor(color) ? color : usualColor}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </div>
      <div className="actions">
        <Button type="submit" primary isPending={update.isPending}>
          Save color
        </Button>
      </div>
    </form>
  );
};
