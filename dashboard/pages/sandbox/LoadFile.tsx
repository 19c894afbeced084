// Uploads a file with transactions, which the sandbox then returns for the logins in the file.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { errorMessage } from '../../api/apiClient.ts';
import { type FileUpload, type LoadedFile, sandboxQueryKey, uploadFile } from '../../api/sandbox.ts';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { FileButton } from '../../components/FileButton.tsx';
import { FileUp } from '../../components/icons.tsx';
import { Notice } from '../../components/Notice.tsx';
import { formatCount, formatPercent } from '../../format.ts';
import { useOrgContext } from '../../shell/orgContext.ts';

const fileFormatNote =
  'A CSV file (optionally gzipped) with the columns login, account, date, transaction, amount, balance, description and reference.';

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
      {isAborted && <Notice>Canceled. No rows were imported.</Notice>}
      {loadFile.data && <UploadResult result={loadFile.data} />}
    </Card>
  );
};

const acceptedFileTypes = ['.csv', '.gz', 'text/csv', 'application/gzip'];

const FileDropZone = ({ onFile }: { onFile: (file: File) => void }) => {
  const [isTarget, setTarget] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a target for the pointer; the button does the same for the keyboard.
    <div
      className={isTarget ? 'drop-zone target' : 'drop-zone'}
      onDragOver={(event) => {
        event.preventDefault();
        setTarget(true);
      }}
      onDragLeave={() => setTarget(false)}
      onDrop={(event) => {
        event.preventDefault();
        setTarget(false);
        const [file] = event.dataTransfer.files;
        if (file) onFile(file);
      }}
    >
      <FileUp size={22} aria-hidden="true" />
      <span>Drop a file here, or</span>
      <FileButton accept={acceptedFileTypes} onFile={onFile}>
        Choose a file
      </FileButton>
    </div>
  );
};

type UploadProgressProps = { file: File; fraction: number; onStop: () => void };

const UploadProgress = ({ file, fraction, onStop }: UploadProgressProps) => (
  <div className="stack">
    <div className="progress">
      <span className="line">
        <span>{file.name}</span>
        <span className="number">{fraction < 1 ? formatPercent(fraction) : 'Reading the last rows…'}</span>
      </span>
      <progress aria-label={`Loading ${file.name}`} value={fraction} />
    </div>
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
      {formatCount(accounts, 'account')}. Connect with {logins === 1 ? 'it' : 'them'} at any sandbox
      institution.
    </p>
  </Notice>
);
