// The sandbox bank: its users, its clock, and files of entries.
import { queryOptions } from '@tanstack/react-query';
import { answered, Refusal, type Shape, service } from './conversation.ts';

export type Sandbox = Shape['Sandbox'];
export type SandboxUser = Shape['SandboxUser'];
export type LoadedFile = Shape['LoadedFile'];

export const sandboxKey = ['sandbox'] as const;

export const sandboxQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [...sandboxKey, organizationId],
    queryFn: () =>
      answered(
        service.GET('/dashboard/api/organizations/{organizationId}/sandbox', {
          params: { path: { organizationId } },
        }),
      ),
  });

export const moveClock = (organizationId: string, seconds: number) =>
  answered(
    service.POST('/dashboard/api/organizations/{organizationId}/sandbox/clock', {
      params: { path: { organizationId } },
      body: { seconds },
    }),
  );

export type Loading = { promise: Promise<LoadedFile>; abort(): void };

/**
 * Sends a file and tells how much of it has arrived. By XMLHttpRequest, because fetch tells nothing about a body
 * that is on its way out.
 */
export const loadFile = (
  organizationId: string,
  file: File,
  onProgress: (fraction: number) => void,
): Loading => {
  const request = new XMLHttpRequest();
  const promise = new Promise<LoadedFile>((resolve, reject) => {
    request.open(
      'POST',
      `/dashboard/api/organizations/${encodeURIComponent(organizationId)}/sandbox/files?name=${encodeURIComponent(file.name)}`,
    );
    request.setRequestHeader('Dashboard-Request', '1');
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 1);
    request.onload = () => {
      const body = request.response as LoadedFile | Shape['Problem'] | null;
      if (request.status === 200) resolve(body as LoadedFile);
      else if (body && 'code' in body) reject(new Refusal(body.code, body));
      else reject(new Refusal('unavailable'));
    };
    request.onerror = () => reject(new Refusal('unreachable'));
    request.onabort = () => reject(new DOMException('The loading was stopped.', 'AbortError'));
    request.send(file);
  });
  return { promise, abort: () => request.abort() };
};
