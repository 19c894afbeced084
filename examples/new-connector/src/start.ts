// Runs the fictitious bank, so that you can try the connector in a running service.
import { startHarbourBank } from './bankServer.ts';

const { url } = await startHarbourBank(Number(process.env.PORT ?? 4460));
console.log(`Harbour Bank listens on ${url}`);
