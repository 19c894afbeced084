// A page of 100 from an account whose transactions came from the bank in random order, compared with one from an account whose
// transactions came by date.
import { interleave } from '../load/interleave.ts';
import { serviceOn } from '../targets/programs.ts';
import {
  authHeaders,
  type Bench,
  compareTime,
  getTransactions,
  interleaveOptionsOf,
  linkAccount,
  type Measurement,
  type Row,
} from './row.ts';

const measureOrder = async (bench: Bench, transactions: number): Promise<Measurement[]> => {
  const service = await bench.start(serviceOn(bench.fixture));
  const requestFor = async (order?: 'random') => {
    bench.reportProgress(`an account of ${transactions}`);
    const linked = await linkAccount(bench, transactions, order);
    return {
      target: service,
      path: `/accounts/${linked.accountId}/transactions?limit=100`,
      headers: authHeaders(bench.fixture, linked.scopedToken),
    };
  };
  const requests = [await requestFor('random'), await requestFor()];
  const [one, other] = await Promise.all(requests.map(getTransactions));
  if (one!.some(({ description }, index) => description !== other![index]!.description))
    throw new Error('The accounts differ in their newest transactions.');
  const [random, sorted] = await interleave(requests, interleaveOptionsOf(bench));
  const row = `page of 100, ${transactions.toLocaleString('en')} in random order`;
  return [compareTime({ row, comparedWith: 'sent by date', goal: 1.3 }, random!, sorted!)];
};

export const arrivalOrder: Row = {
  name: 'order',
  anyDatabase: true,
  measure: (bench) => measureOrder(bench, bench.sizes.accountMedium),
};

export const arrivalOrderOfMillion: Row = {
  name: 'order-million',
  anyDatabase: true,
  long: true,
  measure: (bench) => measureOrder(bench, bench.sizes.accountLarge),
};
