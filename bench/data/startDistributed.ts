// A new database on the Citus cluster of TEST_DISTRIBUTED_URL.
import {
  citusCluster,
  createFromTemplate,
  distributedTemplate,
} from '../../test/support/postgresDatabases.ts';

/** Creates the database with distributed tables; `stop` drops it. */
export const startDistributed = async (): Promise<{ url: string; stop(): Promise<void> }> => {
  const { url, drop } = await createFromTemplate(await citusCluster(), distributedTemplate);
  return { url, stop: drop };
};
