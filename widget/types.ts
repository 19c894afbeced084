// The public types of the widget: options, callbacks and result, the same for connect.js, React and React Native.
// A test compares the comments with the lists of docs/widget.md.

/** The options of `ServiceConnect.init`. Only `applicationId` is required. */
export type ConnectOptions = ConnectSettings & ConnectCallbacks;

export type ConnectSettings = {
  /** Your application's id, `app_…`. */
  applicationId: string;
  /** Your own id for the user, at most 255 characters, stored in plaintext. Omit it for an anonymous connection. */
  externalUserId?: string;
  /** Your backend's signature of `externalUserId` and `connectionId`, if the application requires one. */
  userSignature?: string;
  /** The connection to reconnect, `con_…`. Omit it to create one. */
  connectionId?: string;
  /** With `connectionId`: `true` lets the user change which accounts they share. */
  accountSelection?: boolean;
  /** The bank to preselect, by its `institution.id`. The user can choose another one. */
  institutionId?: string;
  /** The language, as a BCP 47 tag. The default is the browser's. */
  language?: string;
  /** Colors and corners. */
  theme?: ConnectTheme;
};

export type ConnectCallbacks = {
  /** The widget has loaded. Called once; you can call `open` earlier. */
  onInit?: () => void;
  /** The bank was connected or reconnected. Send the result to your backend now. */
  onSuccess?: (result: ConnectResult) => void;
  /** The widget was closed without a connection. The error is null if the last event had no `reason`. */
  onExit?: (error: ConnectError | null, metadata: ConnectMetadata) => void;
  /** The user reached a step. Events never contain user input. */
  onEvent?: (name: ConnectEvent, metadata: ConnectMetadata) => void;
  /** The widget could not be loaded. The next `open` tries again. By default, the error is logged. */
  onError?: (error: Error) => void;
};

export type ConnectTheme = {
  /** The color scheme; `auto` follows the system setting. */
  mode?: 'light' | 'dark' | 'auto';
  /** The color of buttons, `#rrggbb`, adjusted if the contrast is too low. The default is the application's color. */
  accentColor?: string;
  /** The corner radius of buttons and fields, 0 to 24 pixels. */
  radius?: number;
};

/** The events of the widget, in about this order. */
export type ConnectEvent =
  | 'opened'
  | 'consent_given'
  | 'institution_selected'
  | 'institution_not_listed'
  | 'credentials_submitted'
  | 'challenge_shown'
  | 'challenge_answered'
  | 'accounts_selected'
  | 'import_started'
  | 'failed'
  | 'connected'
  | 'closed';

/** Only the fields that apply to the event. */
export type ConnectMetadata = {
  /** The link session, `lks_…`, as in the dashboard. */
  linkSessionId?: string;
  /** The selected bank. */
  institutionId?: string;
  /** The kind of challenge, for example `code` or `approval`. */
  challengeKind?: string;
  /** The reason for a failure, for example `wrong_credentials` or `institution_down`. */
  reason?: string;
};

/** The reason of the last event before the widget was closed. */
export type ConnectError = { reason: string };

/** The argument of `onSuccess`. */
export type ConnectResult = {
  /** The new or reconnected connection, `con_…`. */
  connectionId: string;
  /** The link session, `lks_…`. */
  linkSessionId: string;
  /** The accounts that the user shares. */
  accounts: ConnectAccount[];
  /** Only after a reconnect: accounts that the bank no longer lists. Their data stays readable, but is not updated. */
  missingAccountIds?: string[];
  /** The bank. */
  institution: { id: string; name: string };
  /** The connection that already has the same accounts, if the user shared them again. */
  duplicateOf?: string;
  /** Only with an `externalUserId`. */
  user?: { id: string; externalUserId: string };
  /** Returned once: with a user's first connection, or with each anonymous connection. */
  scopedToken?: string;
};

export type ConnectAccount = {
  id: string;
  name: string;
  type: 'depository' | 'credit' | 'loan' | 'investment' | 'other';
  /** A more specific account type, if the bank provides it. */
  subtype?: 'checking' | 'savings' | 'credit_card' | 'line_of_credit' | 'mortgage' | 'brokerage' | 'pension';
  /** The last four digits of the account number; empty if the bank does not provide them. */
  lastFour: string;
  currency: string;
};

/** The return value of `init`. */
export type ConnectWidget = {
  /** Opens the widget. No effect while it is open. */
  open(): void;
  /** Closes the widget without asking the user. */
  close(): void;
  /** Closes the widget and removes it from the page. It cannot be opened again. */
  destroy(): void;
};

/** The global object that connect.js defines. */
export type ServiceConnect = { init: (options: ConnectOptions) => ConnectWidget };
