// A change to an application, after which its page and the list of all are asked anew.
import { type Application, updateApplication } from '../../api/applications.ts';
import type { Schemas } from '../../api/apiClient.ts';
import { useApiMutation } from '../../api/queryClient.ts';

export const useUpdateApplication = ({ id, organizationId }: Application) =>
  useApiMutation((body: Schemas['ApplicationChange']) => updateApplication(id, body), {
    invalidates: [
      ['application', id],
      ['applications', organizationId],
    ],
  });
