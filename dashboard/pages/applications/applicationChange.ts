// A change to an application, after which its page and the list of all are asked anew.
import { type Application, updateApplication } from '../../service/applications.ts';
import type { Shape } from '../../service/conversation.ts';
import { useChange } from '../../service/queries.ts';

export const useApplicationChange = ({ id, organizationId }: Application) =>
  useChange((body: Shape['ApplicationChange']) => updateApplication(id, body), {
    refreshes: [
      ['application', id],
      ['applications', organizationId],
    ],
  });
