// One's own bank entries: a file that the sandbox bank then serves to the logins in it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { DropZone, FileTrigger, ProgressBar, Text } from 'react-aria-components';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { inWords } from '../../service/conversation.ts';
import { type LoadedFile, type Loading, loadFile, sandboxKey } from '../../service/sandbox.ts';
import { usePlace } from '../../shell/place.ts';

const whatFilesAre =
  'A CSV file, or one packed with gzip, with the columns login, account, date, transaction, amount, balance, description and reference.';

export const LoadFile = () => {
  const { organization } = usePlace();
  const client = useQueryClient();
  const [fraction, setFraction] = useState(0);
  const running = useRef<Loading>(undefined);
  const loading = useMutation({
    mutationFn: (file: File) => {
      setFraction(0);
      running.current = loadFile(organization.id, file, setFraction);
      return running.current.promise;
    },
    onSuccess: () => client.invalidateQueries({ queryKey: sandboxKey }),
  });
  const isStopped = loading.error?.name === 'AbortError';
  return (
    <Card title="Your own entries" note={whatFilesAre}>
      {loading.isPending ? (
        <Progress file={loading.variables} fraction={fraction} onStop={() => running.current?.abort()} />
      ) : (
        <Drop onFile={(file) => loading.mutate(file)} />
      )}
      {loading.error && !isStopped && <Notice tone="bad">{inWords(loading.error)}</Notice>}
      {isStopped && <Notice>Stopped. Nothing of the file was loaded.</Notice>}
      {loading.data && <Loaded result={loading.data} />}
    </Card>
  );
};

const Drop = ({ onFile }: { onFile: (file: File) => void }) => (
  <DropZone
    className="drop"
    onDrop={async ({ items }) => {
      const item = items.find(({ kind }) => kind === 'file');
      if (item?.kind === 'file') onFile(await item.getFile());
    }}
  >
    <FileUp size={22} aria-hidden="true" />
    <Text slot="label">Drop a file here, or</Text>
    <FileTrigger
      acceptedFileTypes={['.csv', '.gz', 'text/csv', 'application/gzip']}
      onSelect={(files) => files?.[0] && onFile(files[0])}
    >
      <Button>Choose a file</Button>
    </FileTrigger>
  </DropZone>
);

type ProgressProps = { file: File; fraction: number; onStop: () => void };

const Progress = ({ file, fraction, onStop }: ProgressProps) => (
  <div className="stack">
    <ProgressBar className="progress" aria-label={`Loading ${file.name}`} value={fraction * 100}>
      {({ percentage = 0, valueText }) => (
        <>
          <span className="line">
            <span>{file.name}</span>
            <span className="number">{fraction < 1 ? valueText : 'Reading the last rows…'}</span>
          </span>
          <span className="progress-track">
            <i style={{ inlineSize: `${percentage}%` }} />
          </span>
        </>
      )}
    </ProgressBar>
    <div className="actions">
      <Button compact onPress={onStop}>
        Stop
      </Button>
    </div>
  </div>
);

const count = (number: number, one: string, many: string): string =>
  `${number.toLocaleString('en-GB')} ${number === 1 ? one : many}`;

const Loaded = ({ result: { rows, logins, accounts } }: { result: LoadedFile }) => (
  <Notice tone="good">
    <p>
      Loaded {count(rows, 'row', 'rows')}: {count(logins, 'login', 'logins')} with{' '}
      {count(accounts, 'account', 'accounts')}. Connect them at any sandbox institution.
    </p>
  </Notice>
);
