// The public types of the widget: options, callbacks and result, the same for connect.js, React and React Native.
// docs/widget.md has the same texts in tables, which a test compares.

/** The options of `ServiceConnect.init`. Only `applicationId` is required. */
export type ConnectOptions = ConnectSettings & ConnectCallbacks;

export type ConnectSettings = {
  /** The id of your application, `app_…`, from the dashboard. */
  applicationId: string;
  /**
   * Your own id for the user, at most 255 characters, stored in plaintext. Connections with the same id belong to one
   * user. Omit it for an anonymous connection.
   */
  externalUserId?: string;
  /**
   * Your backend's signature of `externalUserId` and `connectionId`, if the application requires one. Valid for ten
   * minutes.
   */
  userSignature?: string;
  /** The connection to reconnect, `con_…`. Omit it to create a new connection. */
  connectionId?: string;
  /**
   * With `connectionId`, `true` lets the user choose the accounts of the connection anew. Accounts that they deselect are no longer
   * updated.
   */
  accountSelection?: boolean;
  /** The id of the bank to preselect. The user can still choose another one. */
  institutionId?: string;
  /** The language of the widget, as a BCP 47 tag. The default is the browser's. */
  language?: string;
  /** Colors and corners. */
  theme?: ConnectTheme;
};

export type ConnectCallbacks = {
  /** The widget has loaded. Called once. You can call `open` before then. */
  onInit?: () => void;
  /**
   * The bank has been connected or reconnected. Send the result to your backend now: the scoped token is returned only
   * once.
   */
  onSuccess?: (result: ConnectResult) => void;
  /** The widget was closed without a connection. The error is the reason of the last event, or null if that event has none. */
  onExit?: (error: ConnectError | null, metadata: ConnectMetadata) => void;
  /** The user has reached a step. Use it for analytics; events never contain anything the user typed. */
  onEvent?: (name: ConnectEvent, metadata: ConnectMetadata) => void;
  /** The widget could not be loaded. The next `open` tries again. The default logs the error to the console. */
  onError?: (error: Error) => void;
};

export type ConnectTheme = {
  /** The color scheme; `auto` follows the system setting. */
  mode?: 'light' | 'dark' | 'auto';
  /**
   * The color of buttons, `#rrggbb`. The default is the application's color. The widget darkens or lightens it if
   * the contrast is too low.
   */
  accentColor?: string;
  /** The corner radius of buttons and fields, 0 to 24 pixels. */
  radius?: number;
};

/** What happens in the widget, in about this order. */
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

/** What is known when an event happens, or when the widget is closed. */
export type ConnectMetadata = {
  /** The id of the link session, `lks_…`, as shown in the dashboard. */
  linkSessionId?: string;
  /** The bank that the user selected. */
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
  /** The link session of this result, `lks_…`, as in `onEvent` and in the dashboard. */
  linkSessionId: string;
  /** The accounts that the user shares. */
  accounts: ConnectAccount[];
  /** Only with a reconnect: accounts that the bank no longer lists. Their data stays readable and is not updated. */
  missingAccountIds?: string[];
  /** The bank. */
  institution: { id: string; name: string };
  /** Only if the user shared accounts again that this connection has already. */
  duplicateOf?: string;
  /** Only with an `externalUserId`. */
  user?: { id: string; externalUserId: string };
  /** Present with a user's first connection and with every anonymous one, never with a reconnect. */
  scopedToken?: string;
};

export type ConnectAccount = {
  id: string;
  name: string;
  type: 'depository' | 'credit' | 'loan' | 'investment' | 'other';
  /** A more specific account type, if the bank provides it. */
  subtype?: 'checking' | 'savings' | 'credit_card' | 'line_of_credit' | 'mortgage' | 'brokerage' | 'pension';
  /** The last four characters of the account number; fewer or none if the bank provides no more. */
  lastFour: string;
  currency: string;
};

/** The return value of `init`. */
export type ConnectWidget = {
  /** Opens the widget. Does nothing while it is open. */
  open(): void;
  /** Closes the widget at once, without asking the user. */
  close(): void;
  /** Closes the widget and removes it from the page. It cannot be opened again. */
  destroy(): void;
};

/** The global object that connect.js defines. */
export type ServiceConnect = { init: (options: ConnectOptions) => ConnectWidget };
