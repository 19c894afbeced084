// The page's texts in English. The other languages have the same shape, which the compiler checks. The names of banks,
// fields and accounts come from the bank.
import type { LabelKey } from '../apiClient.ts';

const attemptsLeft = (count: number) =>
  count === 1 ? 'You have one try left.' : `You have ${count} tries left.`;
const accounts = (count: number) => (count === 1 ? 'one account' : `${count} accounts`);
const number = new Intl.NumberFormat('en');
const transactions = (count: number) =>
  count === 1 ? '1 transaction' : `${number.format(count)} transactions`;
/** Lowercases "Username" within a sentence, but not "PIN". */
const lowerFirst = (label: string) =>
  /^\p{Lu}\p{Ll}/u.test(label) ? label[0]!.toLowerCase() + label.slice(1) : label;

const labels: Record<LabelKey, (value: string | undefined) => string> = {
  username: () => 'Username',
  email: () => 'Email',
  customer_number: () => 'Customer number',
  password: () => 'Password',
  pin: () => 'PIN',
  code_sms: (value) => (value ? `Code sent by text to ${value}` : 'Code sent by text'),
  code_call: (value) => (value ? `Code from the phone call to ${value}` : 'Code from the phone call'),
  code_email: (value) => (value ? `Code sent by email to ${value}` : 'Code sent by email'),
  code_app: (value) => `Code from ${value ?? 'your authenticator app'}`,
  code_device: (value) => `Code from your card reader${value ? ` (${value})` : ''}`,
  choose_method: () => 'How would you like to get your code?',
  choose_tan_method: () => 'Which TAN method do you want to use?',
  choose_tan_medium: () => 'Which device do you want to use?',
  method_sms: (value) => (value ? `Text to ${value}` : 'Text message'),
  method_call: (value) => (value ? `Call to ${value}` : 'Phone call'),
  method_email: (value) => (value ? `Email to ${value}` : 'Email'),
  method_app: (value) => (value ? `${value} app` : 'Your bank’s app'),
  approve_app: (value) =>
    value
      ? `Open the ${value} app and approve this sign-in.`
      : 'Open your bank’s app and approve this sign-in.',
  picture: () => 'Characters in the picture',
  choose_account_use: () => 'What do you use the account for?',
  use_personal: () => 'Personal',
  use_business: () => 'Business',
  open_bank_page: () => 'Continue on your bank’s page',
};

export const en = {
  title: 'Connect your bank',
  close: 'Close',
  back: 'Back',
  done: 'Done',
  loading: 'One moment…',
  offline: 'No connection. We’ll keep trying.',
  sandbox: 'Sandbox: not connected to a real bank',
  noHost: 'This page is part of another app. Go back to that app and connect your bank there.',

  leave: {
    title: 'Leave without finishing?',
    text: (application: string) => `You haven’t finished connecting your bank to ${application}.`,
    importing: 'We’re still getting your transactions. If you leave now, you’ll have to start over.',
    stay: 'Keep going',
    leave: 'Leave',
  },

  consent: {
    agree: 'Agree and continue',
  },

  institution: {
    title: 'Choose your bank',
    search: 'Search banks',
    found: (count: number) => (count === 1 ? '1 bank found' : `${count} banks found`),
    notFound: (search: string) => `No results for “${search}”`,
    notFoundHint: 'Check the spelling, or try part of the name.',
    clear: 'Clear',
    beta: 'beta',
    notListed: 'My bank isn’t listed',
    notListedTitle: 'Your bank isn’t available yet',
    notListedHint: (application: string) =>
      `Let ${application} know which bank you need, or choose another one.`,
    backToList: 'Back to the list',
    noInstitutions: 'No banks available yet',
    noInstitutionsHint: (application: string) =>
      `${application} hasn’t added any banks yet. Try again later.`,
  },

  credentials: {
    optional: 'optional',
    title: (bank: string) => `Sign in to ${bank}`,
    reconnect: (bank: string) =>
      `Your connection to ${bank} needs attention. Sign in again to keep your data up to date.`,
    lead: 'Use the same details as on your bank’s website.',
    ownPage: (bank: string) => `You’ll sign in on ${bank}’s own page.`,
    signIn: 'Sign in',
    toOwnPage: (bank: string) => `Continue to ${bank}`,
    show: 'Show',
    hide: 'Hide',
    missing: (label: string) => `Enter your ${lowerFirst(label)}`,
    help: (bank: string) => `Get help from ${bank}`,
    private: (bank: string, operator: string | undefined) =>
      operator
        ? `Your details are encrypted, sent to ${bank} by ${operator}, and kept only to refresh your data.`
        : `Your details are encrypted, sent to ${bank}, and kept only to refresh your data.`,
  },

  /** In place of the bank's text, by its `labelKey`; `value` is the `labelValue`. */
  labels,

  errors: {
    wrong_credentials: (bank: string) => `${bank} didn’t accept these details. Check them and try again.`,
    wrong_answer: (bank: string) => `${bank} didn’t accept this answer. Try again.`,
    attemptsLeft,
    tooManySignIns: (minutes: number) =>
      `Too many attempts. Nothing was sent to your bank. Try again in ${minutes === 1 ? '1 minute' : `${minutes} minutes`}.`,
  },

  challenge: {
    code: 'Enter your security code',
    question: 'Answer your security question',
    choice: 'Choose how to verify',
    approval: 'Approve in your bank’s app',
    image: 'Enter the characters you see',
    /** An image for the user's device or app, which answers with a code. */
    imageCode: 'Scan this image to get your code',
    imageAlt: 'Image from your bank',
    lead: (bank: string) => `${bank} needs to verify it’s you.`,
    leadReading: (bank: string) => `${bank} needs another confirmation to share your transactions.`,
    verify: 'Verify',
    next: 'Continue',
    checkAgain: 'Check again',
    waiting: 'Waiting for your approval…',
    stillWaiting:
      'We haven’t received your approval. Open your bank’s app and approve the sign-in, then check again.',
    chooseOne: 'Choose one to continue.',
    missingCode: 'Enter the code.',
    missingAnswer: 'Enter your answer.',
    resend: 'Send again',
    resendIn: (seconds: number) => `Send again in ${seconds} s`,
    resent: 'Sent again.',
    otherMethod: 'Try another way',
    digits: (min: number, max: number) =>
      min === max ? `Enter all ${min} digits.` : `Enter ${min} to ${max} digits.`,
    characters: (min: number, max: number) =>
      min === max ? `Enter all ${min} characters.` : `Enter ${min} to ${max} characters.`,
  },

  redirect: {
    title: (bank: string) => `Continue on ${bank}’s website`,
    lead: (bank: string) =>
      `${bank} opens in a new window. Sign in there, and you’ll come back here automatically.`,
    open: (bank: string) => `Open ${bank}`,
    waiting: (bank: string) => `Finish signing in on ${bank}’s website`,
    waitingLead: 'Keep this window open. You’ll continue here once you’ve signed in.',
    openAgain: 'Open the bank’s page again',
    closed: 'The other window was closed. Open it again, or enter the code it showed you.',
    blocked: 'If no window opened, allow pop-ups for this page, then open the bank’s page again.',
    code: 'Code from the other window',
    codeHint: 'Only if you were shown a code after signing in.',
    missing: 'Enter the code, or finish signing in at your bank.',
    wrongCode: 'This code doesn’t match your sign-in. Check it and try again.',
  },

  returned: {
    codeTitle: 'One more step: enter this code',
    codeLead: (application: string, bank: string) =>
      `Enter it in the window where you’re connecting ${bank} to ${application}.`,
    nativeLead: (application: string, bank: string) =>
      `Go back to ${application} to finish connecting ${bank}. If you’re asked for a code, enter this one.`,
    backTo: (application: string) => `Back to ${application}`,
    warning: (application: string) =>
      `Did someone else send you here? Close this page. With this code, they could connect your bank to their own ${application} account.`,
    done: 'You’re done here',
    close: 'You can close this window.',
    ended: 'This page has expired',
    endedLead:
      'Go back to the window where you were connecting your bank. If it’s closed, start over from the app or website.',
  },

  accounts: {
    title: 'Choose accounts to share',
    lead: (application: string) => `${application} will only see the accounts you choose.`,
    removed: (days: string) => `Accounts you remove stop updating and are deleted after ${days}.`,
    historyUntil: (time: string) => `Choose by ${time} to share your whole history.`,
    chooseOne: 'Choose at least one account.',
    all: 'Select all',
    share: (count: number) =>
      count === 0 ? 'Share accounts' : count === 1 ? 'Share 1 account' : `Share ${count} accounts`,
    connected: 'Already connected',
    connectedBefore: (names: string, application: string) =>
      `Already connected: ${names}. If you share them again, ${application} will get every transaction twice.`,
    renew: 'Renew the connection',
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
    title: 'Getting your transactions',
    lead: 'This can take a minute. Keep this window open.',
    delayed: 'This is taking longer than usual. We’ll continue automatically.',
    waiting: (bank: string) => `Contacting ${bank}…`,
    done: (count: number) => `${transactions(count)} so far`,
    of: (count: number, total: number) => `${number.format(count)} of ${transactions(total)}`,
  },

  success: {
    title: 'Your bank is connected',
    restored: 'Your connection is up to date',
    lead: (application: string, count: number, bank: string) =>
      `${application} can now read ${accounts(count)} at ${bank}.`,
    shared: 'Shared accounts',
    until: (until: string) =>
      `The bank allows this until ${until}. Reconnect before then to continue without interruption.`,
    missing: (count: number, bank: string) =>
      `No longer found at ${bank}: ${accounts(count)}. Past transactions are kept.`,
  },

  failed: {
    tryAgain: 'Try again',
    signInAgain: 'Sign in again',
    otherLogin: 'Use a different login',
    otherInstitution: 'Choose another bank',
    restart: 'Start over',
    /** In place of the bank's name while no bank is selected. */
    yourInstitution: 'your bank',
    reasons: {
      wrong_credentials: {
        title: 'Your details weren’t accepted',
        text: (bank: string) =>
          `${bank} rejected your sign-in. Check that you can sign in on your bank’s website, then sign in again.`,
      },
      wrong_answer: {
        title: 'Your answer wasn’t accepted',
        text: (bank: string) => `This sign-in to ${bank} ended after a wrong answer. Sign in again.`,
      },
      locked: {
        title: 'Your login is locked',
        text: (bank: string) => `Unlock it on ${bank}’s website or in its app, then try again.`,
      },
      denied: {
        title: 'Your sign-in wasn’t approved',
        text: (bank: string) =>
          `It wasn’t approved on ${bank}’s website or in its app. Sign in again and approve it.`,
      },
      institution_down: {
        title: 'Your bank can’t be reached',
        text: (bank: string) => `${bank} isn’t available right now. Try again in a few minutes.`,
      },
      institution_timeout: {
        title: 'Your bank isn’t responding',
        text: (bank: string) => `${bank} didn’t respond in time. Try again in a few minutes.`,
      },
      institution_incomplete: {
        title: 'Your accounts can’t be read',
        text: (bank: string) => `${bank} didn’t send all of your data. Try again later.`,
      },
      no_accounts: {
        title: 'No accounts to share',
        text: (bank: string) =>
          `This login has no accounts at ${bank} that can be shared. Use a different login or choose another bank.`,
      },
      accounts_mismatch: {
        title: 'These accounts don’t match',
        text: (bank: string) =>
          `This login doesn’t have the accounts that were connected at ${bank}. Sign in with the login you used before.`,
      },
      user_action_required: {
        title: 'Your bank needs you to do something first',
        text: (bank: string) =>
          `Sign in on ${bank}’s website, follow the instructions there, then try again.`,
      },
      session_expired: {
        title: 'Your session has expired',
        text: () => 'It ended to keep your data safe. Nothing was shared.',
      },
      cancelled: {
        title: 'Sign-in canceled',
        text: () => 'Nothing was shared.',
      },
      superseded: {
        title: 'Continued in another window',
        text: () => 'You connected a bank in another window instead. Nothing was shared here.',
      },
      internal: {
        title: 'Something went wrong',
        text: () => 'The problem is on our side. Nothing was shared. Try again.',
      },
      origin_not_allowed: {
        title: 'This website can’t connect banks',
        text: () => 'Bank connections aren’t set up for this website. Go back and try again later.',
      },
      wrong_address: {
        title: 'This page was opened at the wrong address',
        text: () => 'Banks can’t be connected from here. Go back and try again later.',
      },
      native_not_allowed: {
        title: 'This app can’t connect banks',
        text: () => 'Bank connections aren’t set up for this app. Go back and try again later.',
      },
      unknown_user: {
        title: 'We couldn’t verify your session',
        text: () => 'Go back to where you started, sign in again, and try once more.',
      },
      unknown_application: {
        title: 'Bank connections aren’t set up correctly',
        text: () => 'Go back and try again later.',
      },
      unknown_connection: {
        title: 'This connection can’t be restored',
        text: () =>
          'It was removed, or it isn’t yours. Go back to where you started and try again, or connect your bank again.',
      },
    },
  },
};

export type Texts = typeof en;
