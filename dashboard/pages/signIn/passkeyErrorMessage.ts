// Messages for WebAuthn errors. NotAllowedError usually means that the member closed the dialog.
export const passkeyErrorMessage = (error: Error): string => {
  switch (error.name) {
    case 'NotAllowedError':
    case 'AbortError':
      return 'No passkey was used. The request was canceled or timed out. Try again.';
    case 'InvalidStateError':
      return 'This device already has a passkey for your account.';
    case 'SecurityError':
      return 'Passkeys work only over https or on localhost.';
    default:
      return 'This browser cannot use a passkey here.';
  }
};
