// Asks for confirmation before revoking a SimpleFIN access.
import type { Application } from '../../api/applications.ts';
import { useApiMutation } from '../../api/queryClient.ts';
import { revokeSimplefinAccess, type SimplefinAccess } from '../../api/simplefinAccesses.ts';
import { ConfirmModal } from '../../components/Modal.tsx';
import { Timestamp } from '../../components/Timestamp.tsx';

type RevokeProps = {
  application: Application;
  access: SimplefinAccess | undefined;
  onRevoked: () => void;
  onClose: () => void;
};

export const RevokeAccess = ({ application, access, onRevoked, onClose }: RevokeProps) => {
  const revoking = useApiMutation((accessId: string) => revokeSimplefinAccess(application.id, accessId), {
    invalidates: [['simplefinAccesses', application.id]],
    onSuccess: () => {
      onRevoked();
      onClose();
    },
  });
  return (
    <ConfirmModal
      title={`Revoke “${access?.label ?? ''}”?`}
      action="Revoke access"
      isOpen={access !== undefined}
      isPending={revoking.isPending}
      error={revoking.error}
      onConfirm={() => access && revoking.mutate(access.id)}
      onClose={() => {
        revoking.reset();
        onClose();
      }}
    >
      <p>{access?.label} can no longer read this user’s accounts. This cannot be undone.</p>
      <p className="muted">
        {access?.lastUsedAt ? (
          <>
            It was last used <Timestamp at={access.lastUsedAt} />.
          </>
        ) : (
          'It has never been used.'
        )}
      </p>
    </ConfirmModal>
  );
};
