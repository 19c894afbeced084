// Messages for the errors of WebAuthn. NotAllowedError usually means that the member closed the dialog.
export const passkeyErrorMessage = (error: Error): string => {
  switch (error.name) {
    case 'NotAllowedError':
    case 'AbortError':
      return 'No passkey was used: the request was closed or took too long. Try again.';
    case 'InvalidStateError':
      return 'This device already has a passkey for your account.';
    case 'SecurityError':
      return 'Passkeys work only where the dashboard is opened by https, or on this machine itself.';
    default:
      return 'This browser cannot use a passkey here.';
  }
};
