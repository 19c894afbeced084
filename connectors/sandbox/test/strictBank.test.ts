// The conformance suite's options for institutions that are stricter than the sandbox: credentials that are valid once, a
// wrong answer that ends the sign-in, and no sign-in without the end user.
import { BankRefused, type Connector } from '@bank-connection/connector-kit';
import { describeConnector } from '@bank-connection/connector-kit/conformance';
import { sandboxInstitutions } from '../institutions.ts';
import { institutionId, makeConnector, today } from './fixture.ts';

const connector = makeConnector();

const answerOrEnd =
  ({ answer }: Connector): Connector['answer'] =>
  async (request, context) => {
    const result = await answer(request, context);
    if (result.kind === 'challenge' && result.retry) throw new BankRefused('wrong_answer');
    return result;
  };

/** The sandbox with setup codes: `password` and a number, each valid once. Later sign-ins need the device token. */
const usedCodes = new Set<string>();
const onceOnly =
  ({ signIn }: Connector): Connector['signIn'] =>
  async (request, context) => {
    const { password = '' } = request.credentials;
    if (!request.deviceToken && usedCodes.has(password)) throw new BankRefused('wrong_credentials');
    const result = await signIn(request, context);
    usedCodes.add(password);
    return result;
  };

let lastCode = 0;
describeConnector('A connector with credentials that are valid once', {
  connect: () => ({
    institutions: sandboxInstitutions,
    connector: { ...connector, signIn: onceOnly(connector) },
  }),
  institutionId,
  user: async () => {
    lastCode += 1;
    return { username: 'twins', password: `password ${lastCode}` };
  },
  unattended: true,
  wrong: { username: 'twins', password: 'wrong' },
  challenged: [],
  now: today,
});

describeConnector('A connector of a bank that needs its user each time', {
  connect: () => ({
    institutions: sandboxInstitutions,
    connector: {
      ...connector,
      signIn: async (request, context) => {
        if (!request.attended) throw new BankRefused('user_action_required');
        return connector.signIn(request, context);
      },
      answer: answerOrEnd(connector),
    },
  }),
  institutionId,
  user: { username: 'twins', password: 'password' },
  unattended: false,
  wrong: { username: 'twins', password: 'wrong' },
  challenged: [
    {
      name: 'otp',
      user: { username: 'otp', password: 'password' },
      answer: () => '123456',
      wrongAnswer: { answer: '111111', leadsTo: 'end' },
    },
  ],
  now: today,
});
