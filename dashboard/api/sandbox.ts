// The sandbox's users, its clock, and files with transactions.
import { queryOptions } from '@tanstack/react-query';
import { ApiError, apiClient, type Schemas, unwrap } from './apiClient.ts';

export type Sandbox = Schemas['Sandbox'];
export type SandboxUser = Schemas['SandboxUser'];
export type LoadedFile = Schemas['LoadedFile'];

export const sandboxQueryKey = ['sandbox'] as const;

export const sandboxQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [...sandboxQueryKey, organizationId],
    queryFn: () =>
      unwrap(
        apiClient.GET('/management/organizations/{organizationId}/sandbox', {
          params: { path: { organizationId } },
        }),
      ),
  });

export const advanceSandboxClock = (organizationId: string, seconds: number) =>
  unwrap(
    apiClient.POST('/management/organizations/{organizationId}/sandbox/clock', {
      params: { path: { organizationId } },
      body: { seconds },
    }),
  );

export type FileUpload = { promise: Promise<LoadedFile>; abort(): void };

/** Uploads a file and reports progress, for which fetch has no API; hence XMLHttpRequest. */
export const uploadFile = (
  organizationId: string,
  file: File,
  onProgress: (fraction: number) => void,
): FileUpload => {
  const request = new XMLHttpRequest();
  const promise = new Promise<LoadedFile>((resolve, reject) => {
    request.open(
      'POST',
      `/management/organizations/${encodeURIComponent(organizationId)}/sandbox/files?name=${encodeURIComponent(file.name)}`,
    );
    request.setRequestHeader('Dashboard-Request', '1');
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 1);
    request.onload = () => {
      const body = request.response as LoadedFile | Schemas['Problem'] | null;
      if (request.status === 200) resolve(body as LoadedFile);
      else if (body && 'code' in body) reject(new ApiError(body.code, body));
      else reject(new ApiError('unavailable'));
    };
    request.onerror = () => reject(new ApiError('unreachable'));
    request.onabort = () => reject(new DOMException('The upload was canceled.', 'AbortError'));
    request.send(file);
  });
  return { promise, abort: () => request.abort() };
};
