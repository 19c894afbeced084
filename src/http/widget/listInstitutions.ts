import { searchInstitutions } from '../../linking/searchInstitutions.ts';
import type { Operation } from './operation.ts';

export const listInstitutions: Operation<'listInstitutions'> = async ({ session, query }, { linking }) => ({
  institutions: searchInstitutions(linking.registry.institutions(session.application.environment), query),
});
