// Tests the conformance suite's options for an institution that is stricter than the sandbox: a wrong answer ends the sign-in,
// there is no unattended one, and a directory lists it. SimpleFIN's setup tokens cover credentials that are valid once.
import { BankRefused } from '@bank-connection/connector-kit';
import { describeConnector } from '@bank-connection/connector-kit/conformance';
import { sandboxInstitutions } from '../institutions.ts';
import { institutionId, makeConnector, today } from './fixture.ts';

const { signIn, answer, ...connector } = makeConnector();

describeConnector('A connector of a bank that needs its user each time', {
  connect: () => ({
    institutions: [],
    directory: async () => sandboxInstitutions.map((one) => ({ ...one, ref: `ref of ${one.id}` })),
    connector: {
      ...connector,
      signIn: async (request, context) => {
        if (request.institution.ref !== `ref of ${institutionId}`) throw new BankRefused('denied');
        if (!request.attended) throw new BankRefused('user_action_required');
        return signIn(request, context);
      },
      answer: async (request, context) => {
        const result = await answer(request, context);
        if (result.kind === 'challenge' && result.retry) throw new BankRefused('wrong_answer');
        return result;
      },
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
