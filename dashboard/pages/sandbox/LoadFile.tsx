// Upload of a file with transactions, which the sandbox then serves to the logins in it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { DropZone, FileTrigger, ProgressBar, Text } from 'react-aria-components';
import { errorMessage } from '../../api/apiClient.ts';
import { type FileUpload, type LoadedFile, sandboxQueryKey, uploadFile } from '../../api/sandbox.ts';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { FileUp } from '../../components/icons.tsx';
import { Notice } from '../../components/Notice.tsx';
import { formatCount } from '../../format.ts';
import { useOrgContext } from '../../shell/orgContext.ts';

const fileFormatNote =
  'A CSV file, optionally compressed with gzip, with the columns login, account, date, transaction, amount, balance, description and reference.';

export const LoadFile = () => {
  const { organization } = useOrgContext();
  const client = useQueryClient();
  const [fraction, setFraction] = useState(0);
  const upload = useRef<FileUpload>(undefined);
  const loadFile = useMutation({
    mutationFn: (file: File) => {
      setFraction(0);
      upload.current = uploadFile(organization.id, file, setFraction);
      return upload.current.promise;
    },
    onSuccess: () => client.invalidateQueries({ queryKey: sandboxQueryKey }),
  });
  const isAborted = loadFile.error?.name === 'AbortError';
  return (
    <Card title="Your own transactions" description={fileFormatNote}>
      {loadFile.isPending ? (
        <UploadProgress
          file={loadFile.variables}
          fraction={fraction}
          onStop={() => upload.current?.abort()}
        />
      ) : (
        <FileDropZone onFile={(file) => loadFile.mutate(file)} />
      )}
      {loadFile.error && !isAborted && <Notice tone="bad">{errorMessage(loadFile.error)}</Notice>}
      {isAborted && <Notice>Stopped. Nothing of the file was loaded.</Notice>}
      {loadFile.data && <UploadResult result={loadFile.data} />}
    </Card>
  );
};

const FileDropZone = ({ onFile }: { onFile: (file: File) => void }) => (
  <DropZone
    className="drop-zone"
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

type UploadProgressProps = { file: File; fraction: number; onStop: () => void };

const UploadProgress = ({ file, fraction, onStop }: UploadProgressProps) => (
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

const UploadResult = ({ result: { rows, logins, accounts } }: { result: LoadedFile }) => (
  <Notice tone="good">
    <p>
      Loaded {formatCount(rows, 'row')}: {formatCount(logins, 'login')} with{' '}
      {formatCount(accounts, 'account')}. Connect them at any sandbox institution.
    </p>
  </Notice>
);
