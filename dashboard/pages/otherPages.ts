// The search and all pages for a signed-in member except the overview. The build puts them into one file, which is loaded when the
// first of them is needed: most visits start with the overview, and many end there.
export { Account } from './account/Account.tsx';
export { Application } from './applications/Application.tsx';
export { Applications } from './applications/Applications.tsx';
export { AuditLog } from './audit/AuditLog.tsx';
export { Connection } from './connections/Connection.tsx';
export { Connections } from './connections/Connections.tsx';
export { LinkSessions } from './linkSessions/LinkSessions.tsx';
export { Members } from './members/Members.tsx';
export { Requests } from './requests/Requests.tsx';
export { Sandbox } from './sandbox/Sandbox.tsx';
export { SearchDialog } from './search/SearchDialog.tsx';
export { RequiredPasskey } from './signIn/RequiredPasskey.tsx';
export { Simplefin } from './simplefin/Simplefin.tsx';
export { Tokens } from './tokens/Tokens.tsx';
export { Endpoint } from './webhooks/Endpoint.tsx';
export { Webhooks } from './webhooks/Webhooks.tsx';
