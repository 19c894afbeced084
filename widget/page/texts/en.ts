// The page's texts in English. The other languages have the same shape, which the compiler checks. The names of banks,
// fields and accounts come from the bank.
import type { LabelKey } from '../apiClient.ts';

const attemptsLeft = (count: number) =>
  count === 1 ? 'You have one try left.' : `You have ${count} tries left.`;
const accounts = (count: number) => (count === 1 ? 'one account' : `${count} accounts`);
const number = new Intl.NumberFormat('en');

const labels: Record<LabelKey, (value: string | undefined) => string> = {
  username: () => 'Username',
  email: () => 'Email',
  customer_number: () => 'Customer number',
  password: () => 'Password',
  pin: () => 'PIN',
  code_sms: (value) => (value ? `Code sent by text message to ${value}` : 'Code sent to your phone by SMS'),
  code_call: (value) => (value ? `Code told by a phone call to ${value}` : 'Code told by a phone call'),
  code_email: (value) => (value ? `Code sent by email to ${value}` : 'Code sent to you by email'),
  code_app: (value) => `Code from ${value ?? 'your authenticator app'}`,
  code_device: (value) => `Code from your card reader${value ? ` for ${value}` : ''}`,
  choose_method: () => 'Where should we send your code?',
  choose_tan_method: () => 'Which TAN method do you want to use?',
  choose_tan_medium: () => 'Which device do you want to use?',
  method_sms: (value) => (value ? `Text message to ${value}` : 'Text message'),
  method_call: (value) => (value ? `Phone call to ${value}` : 'Phone call'),
  method_email: (value) => (value ? `Email to ${value}` : 'Email'),
  method_app: (value) => (value ? `App ${value}` : 'App of your bank'),
  approve_app: (value) =>
    value ? `Approve this sign-in in the ${value} app` : 'Approve this sign-in in the app of your bank',
  picture: () => 'Type the characters in the picture',
};

export const en = {
  title: 'Connect your bank',
  close: 'Close',
  back: 'Back',
  continue: 'Continue',
  done: 'Done',
  loading: 'One moment…',
  offline: 'No connection to the service. Trying again…',
  sandbox: 'Sandbox: no real bank is asked',
  noHost:
    'This page belongs to an application. Please go back to the application and connect your bank there.',

  consent: {
    title: (application: string) => `${application} would like to read your bank data`,
    points: (application: string) => [
      {
        title: 'You choose what is shared',
        text: 'The accounts that you pick: name, last four digits, balances and transactions.',
      },
      {
        title: 'It can only be read',
        text: `${application} cannot move money or change anything at your bank.`,
      },
      {
        title: 'Your password stays private',
        text: `${application} never sees it. It is kept encrypted, only to bring your data up to date.`,
      },
      {
        title: 'You can stop at any time',
        text: `Ask ${application} to disconnect your bank. What is stored is deleted after 30 days.`,
      },
    ],
    agree: 'By continuing, you agree to share this data.',
  },

  institution: {
    title: 'Choose your bank',
    search: 'Search banks',
    found: (count: number) => (count === 1 ? 'One bank found' : `${count} banks found`),
    notFound: (search: string) => `No bank found for “${search}”`,
    notFoundHint: 'Check the spelling, or try a shorter part of the name.',
    clear: 'Clear',
    notListed: 'My bank is not listed',
    notListedTitle: 'Your bank is not listed',
    notListedHint: (application: string) =>
      `${application} cannot connect your bank here yet. Please tell ${application} which bank you need, or choose another one.`,
    backToList: 'Back to the list',
    noInstitutions: 'No bank is available yet',
    noInstitutionsHint: (application: string) =>
      `${application} has not set up any bank so far. Please try again later.`,
  },

  credentials: {
    title: (bank: string) => `Sign in to ${bank}`,
    reconnect: (application: string) =>
      `${application} has lost its access. Sign in once more to restore it; nothing else changes.`,
    lead: 'Use the same details as on your bank’s own website.',
    ownPage: (bank: string) => `You sign in on the page of ${bank}. The next step leads there.`,
    show: 'Show',
    hide: 'Hide',
    missing: (label: string) => `Please fill in: ${label}`,
    help: (bank: string) => `Get help from ${bank}`,
    private: (application: string) => `${application} never sees what you type here.`,
  },

  /** In place of the bank's text, by its `labelKey`; `value` is the `labelValue`. */
  labels,

  errors: {
    wrong_credentials: (bank: string) =>
      `${bank} did not accept these details. Please check them and try again.`,
    wrong_answer: (bank: string) => `${bank} did not accept this answer. Please try again.`,
    attemptsLeft,
    tooManySignIns: (minutes: number) =>
      `Too many sign-ins were tried, so nothing was sent to your bank. Please try again in ${minutes === 1 ? 'one minute' : `${minutes} minutes`}.`,
  },

  challenge: {
    code: 'Enter your security code',
    question: 'Answer your security question',
    choice: 'Confirm that it is you',
    approval: 'Approve in your bank’s app',
    image: 'Enter what you see',
    imageAlt: 'Picture with the characters to enter',
    lead: (bank: string) => `${bank} wants to be sure that it is you.`,
    waiting: 'Waiting for your approval…',
    stillWaiting: 'No approval has arrived yet. Open your bank’s app, approve there, and continue here.',
    chooseOne: 'Please choose one.',
    resend: 'Send again',
    resendIn: (seconds: number) => `Send again in ${seconds} s`,
    resent: 'Sent again.',
    otherMethod: 'Try another way',
    digits: (min: number, max: number) =>
      min === max ? `Please enter ${min} digits.` : `Please enter ${min} to ${max} digits.`,
    characters: (min: number, max: number) =>
      min === max ? `Please enter ${min} characters.` : `Please enter ${min} to ${max} characters.`,
  },

  redirect: {
    title: (bank: string) => `Continue at ${bank}`,
    lead: (bank: string) =>
      `${bank} lets you sign in on its own page only. It opens in a new window, and you come back here by yourself when you are done.`,
    open: (bank: string) => `Open ${bank}`,
    waiting: (bank: string) => `Finish signing in at ${bank}`,
    waitingLead: 'Keep this window open. It goes on as soon as you have signed in there.',
    openAgain: 'Open the bank’s page again',
    closed: 'The window of your bank seems to be closed. Open it again, or enter the code that it has shown.',
    blocked: 'If no new window has opened, allow it in your browser and open it again.',
    code: 'Code from the last page',
    codeHint: 'Only if the bank’s window ends with a code.',
    missing: 'Please enter the code, or finish signing in at your bank.',
    wrongCode: 'This is not the code of your sign-in. Please check it and try again.',
  },

  returned: {
    codeTitle: 'One more step: enter this code',
    codeLead: (application: string, bank: string) =>
      `Enter it in the window in which you connect ${bank} to ${application}.`,
    nativeLead: (application: string, bank: string) =>
      `Continue in ${application}, where you connect ${bank}. If it asks for a code, enter this one.`,
    backTo: (application: string) => `Back to ${application}`,
    warning: (application: string) =>
      `Did somebody send you here? Then close this page: with the code they would connect your bank to their account at ${application}.`,
    done: 'You are back',
    close: 'You can close this window.',
    ended: 'This page cannot be used any more',
    endedLead: 'Go back to the window in which you connect your bank. If it has ended, start again there.',
  },

  accounts: {
    title: 'Choose accounts to share',
    lead: (application: string) => `${application} will see only the accounts that you choose.`,
    chooseOne: 'Please choose at least one account.',
    all: 'Choose all',
    types: {
      depository: 'Bank account',
      credit: 'Credit account',
      loan: 'Loan',
      investment: 'Investment',
      other: 'Account',
    },
    subtypes: {
      checking: 'Checking account',
      savings: 'Savings account',
      credit_card: 'Credit card',
      line_of_credit: 'Line of credit',
      mortgage: 'Mortgage',
      brokerage: 'Brokerage account',
      pension: 'Pension',
    },
    ending: (digits: string) => `ending in ${digits}`,
  },

  importing: {
    title: 'Reading your transactions',
    lead: 'This can take a minute. Please keep this window open.',
    delayed: 'This is taking longer than usual. It goes on by itself as soon as the service is ready.',
    waiting: (bank: string) => `Asking ${bank}…`,
    done: (count: number) => `${number.format(count)} transactions so far`,
    of: (count: number, total: number) => `${number.format(count)} of ${number.format(total)} transactions`,
  },

  success: {
    title: 'Your bank is connected',
    restored: 'Your connection is restored',
    lead: (application: string, count: number, bank: string) =>
      `${application} can now read ${accounts(count)} at ${bank}.`,
    shared: 'Shared accounts',
  },

  failed: {
    tryAgain: 'Try again',
    otherInstitution: 'Choose another bank',
    restart: 'Start again',
    /** In place of the bank's name while no bank is selected. */
    yourInstitution: 'your bank',
    reasons: {
      wrong_credentials: {
        title: 'The details were not accepted',
        text: (bank: string) =>
          `${bank} refused them too often. Check them on your bank’s own website, then try again.`,
      },
      wrong_answer: {
        title: 'The answer was not accepted',
        text: (bank: string) =>
          `This sign-in to ${bank} has ended after too many wrong answers. Please sign in again.`,
      },
      locked: {
        title: 'Your bank login is locked',
        text: (bank: string) => `Unlock it on the website or in the app of ${bank}, then try again here.`,
      },
      denied: {
        title: 'The request was declined',
        text: (bank: string) =>
          `It was declined in the app of ${bank}. If that was a mistake, sign in again and approve it.`,
      },
      institution_down: {
        title: 'Your bank cannot be reached',
        text: (bank: string) => `${bank} does not answer at the moment. Please try again in a few minutes.`,
      },
      institution_timeout: {
        title: 'Your bank takes too long',
        text: (bank: string) => `${bank} did not answer in time. Please try again in a few minutes.`,
      },
      no_accounts: {
        title: 'No accounts to share',
        text: (bank: string) =>
          `This login at ${bank} has no accounts that can be shared. Try another login or another bank.`,
      },
      accounts_mismatch: {
        title: 'These are other accounts',
        text: (bank: string) =>
          `This login at ${bank} does not have the accounts that were connected. Sign in with the login that you used then.`,
      },
      user_action_required: {
        title: 'Your bank needs something from you first',
        text: (bank: string) =>
          `Sign in on the website of ${bank}, follow its instructions, then try again here.`,
      },
      session_expired: {
        title: 'This took too long',
        text: () => 'For your safety the sign-in has ended. Nothing was shared. You can start again now.',
      },
      cancelled: {
        title: 'This sign-in was closed',
        text: () => 'Nothing was shared. You can start again now.',
      },
      superseded: {
        title: 'Continued somewhere else',
        text: () =>
          'The same connection was opened a second time, and this one has ended. Nothing was shared here.',
      },
      internal: {
        title: 'Something went wrong',
        text: () => 'The mistake is on our side. Nothing was shared. Please try again.',
      },
      origin_not_allowed: {
        title: 'This website may not connect banks',
        text: () =>
          'The application does not allow it here. If you run this website, add its origin to the application.',
      },
      native_not_allowed: {
        title: 'This app may not connect banks',
        text: () =>
          'If you make this app, allow native use for its application, and register its return address.',
      },
      unknown_user: {
        title: 'We cannot tell who you are',
        text: () => 'The application did not confirm your sign-in. Please go back to it and sign in again.',
      },
      unknown_application: {
        title: 'This application is not known',
        text: () => 'If you run this website, check the application id.',
      },
      unknown_connection: {
        title: 'This connection cannot be restored',
        text: () =>
          'It was removed, or the application did not confirm that it is yours. Please go back to it and try again, or connect your bank anew.',
      },
    },
  },
};

export type Texts = typeof en;
