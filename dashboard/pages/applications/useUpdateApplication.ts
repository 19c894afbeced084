// The mutation that changes an application, for all of its settings.

import type { Schemas } from '../../api/apiClient.ts';
import { type Application, updateApplication } from '../../api/applications.ts';
import { useApiMutation } from '../../api/queryClient.ts';

export const useUpdateApplication = ({ id, organizationId }: Application) =>
  useApiMutation((body: Schemas['ApplicationUpdate']) => updateApplication(id, body), {
    invalidates: [
      ['application', id],
      ['applications', organizationId],
    ],
  });
