// What an application says to the widget and hears from it: the one source of the options and callbacks, for the
// script in a web page, for React and for React Native. Types only, so that it weighs nothing. docs/widget.md has
// a table of them, which a test compares with this file.

/** The options of `ServiceConnect.init`. Only `applicationId` is required. */
export type ConnectOptions = ConnectSettings & ConnectCallbacks;

/** What is connected, for whom, and how it looks. */
export type ConnectSettings = {
  /** The application, `app_…`, as the dashboard shows it. */
  applicationId: string;
  /** Your own id of this user. It ties several connections to one user; without it, each one is anonymous. */
  externalUserId?: string;
  /** The HMAC-SHA256 of `externalUserId` in hex, made by your backend, where the application requires it. */
  userSignature?: string;
  /** The connection to restore, `con_…`. Without it, a new connection is made. */
  connectionId?: string;
  /** The bank to start with, so that the user need not search. Other banks can still be chosen. */
  institutionId?: string;
  /** The language of the widget, as a BCP 47 tag. Without it, the browser's. */
  language?: string;
  /** Colours and corners. */
  theme?: ConnectTheme;
};

/** What the application is told. */
export type ConnectCallbacks = {
  /** The widget can be opened; called once. */
  onInit?: () => void;
  /** The connection exists. Send the result to your backend now: the scoped token is shown this once. */
  onSuccess?: (result: ConnectResult) => void;
  /** The widget was opened and went away without a connection. */
  onExit?: () => void;
  /** The widget could not be loaded, and the next `open` tries again. Without this callback, the console says so. */
  onError?: (error: Error) => void;
};

/** How the widget looks. What is left out stays as it is. */
export type ConnectTheme = {
  /** `light`, `dark`, or what the user's system prefers: `auto`. */
  mode?: 'light' | 'dark' | 'auto';
  /** The colour of buttons and marks, `#rrggbb`. It is made darker or lighter where it would not be legible. */
  accentColor?: string;
  /** How round buttons and fields are, in pixels from 0 to 24. */
  radius?: number;
};

/** What `onSuccess` receives. */
export type ConnectResult = {
  /** The new connection, or the one that was restored: `con_…`. */
  connectionId: string;
  /** The accounts that the user shared. */
  accounts: ConnectAccount[];
  /** The bank. */
  institution: { id: string; name: string };
  /** Only when an `externalUserId` was given. */
  user?: { id: string; externalUserId: string };
  /** Only at the first connection of a user; anonymous users always have it, a restored connection never. */
  scopedToken?: string;
};

/** An account that the user shared. */
export type ConnectAccount = {
  id: string;
  name: string;
  type: 'depository' | 'credit' | 'loan' | 'investment' | 'other';
  /** Up to four characters, as the bank gives them. */
  lastFour: string;
  currency: string;
};

/** What `init` returns. */
export type ConnectWidget = {
  /** Opens the widget, at once or as soon as it has loaded. While it is open, nothing happens. */
  open(): void;
  /** Closes it as the user would. */
  close(): void;
  /** Closes it and takes it out of the host page, for good. */
  destroy(): void;
};

/** The global object that the script makes. */
export type ServiceConnect = { init: (options: ConnectOptions) => ConnectWidget };
