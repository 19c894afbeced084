// Generated from dashboard/openapi.yaml by `npm run generate`. Do not edit.

export interface paths {
    "/dashboard/api/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How one can sign in
         * @description Anyone. What the page offers to somebody who is not signed in.
         */
        get: operations["getSignInOptions"];
        put?: never;
        /**
         * Sign in with email and password
         * @description Anyone. An unknown email and a wrong password have one answer and take the same time. Too many tries, for an email or from an address, are answered 429.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/sign-in/passkey/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to sign in with a passkey
         * @description Anyone. The options for `navigator.credentials.get`; they hold for five minutes.
         */
        post: operations["startPasskeySignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/sign-in/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a passkey
         * @description Anyone. What `navigator.credentials.get` gave, as JSON.
         */
        post: operations["signInWithPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/sign-in/oidc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to sign in at the OpenID provider
         * @description Anyone. 404 where the service has no provider. The page then goes to the address.
         */
        post: operations["startOidcSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/invitation/view": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * See an invitation
         * @description Anyone who has the link. 404 where it was used, withdrawn, has expired or never was.
         */
        post: operations["getInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/invitation/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description Anyone who has the link. Somebody new chooses a name and a password. Who has an account already gives its password, unless this session is theirs; another password is answered 401.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose a new password with a reset link
         * @description Anyone who has the link. All sessions of the member end and their passkeys are removed; then they sign in with the new password. 404 where the link was used, has expired or never was.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who is signed in
         * @description Member. The member, their organizations and roles.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        /**
         * Sign out
         * @description Member. Ends this session and takes the cookie back.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change one's name
         * @description Member.
         */
        patch: operations["updateProfile"];
        trace?: never;
    };
    "/dashboard/api/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change one's password
         * @description Member. Takes the present password where there is one; a wrong one is answered 403. All other sessions end.
         */
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See one's sessions
         * @description Member. All that have not ended, the last used first.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * End all one's other sessions
         * @description Member.
         */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/me/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The session's id.
                 * @example ses_0hXGm6Yb7sVqTzR2uKd4We
                 */
                sessionId: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of one's sessions
         * @description Member.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/me/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See one's passkeys
         * @description Member.
         */
        get: operations["listPasskeys"];
        put?: never;
        /**
         * Add a passkey
         * @description Member. What `navigator.credentials.create` gave, as JSON.
         */
        post: operations["addPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/me/passkeys/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to add a passkey
         * @description Member. The options for `navigator.credentials.create`; they hold for five minutes. Takes the member's password where there is one; a wrong one is answered 403.
         */
        post: operations["startPasskeyRegistration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/me/passkeys/{passkeyId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The passkey's id.
                 * @example psk_0hXGm6Yb7sVqTzR2uKd4We
                 */
                passkeyId: components["parameters"]["PasskeyId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a passkey
         * @description Member.
         */
        delete: operations["removePasskey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/organizations/{organizationId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename an organization
         * @description Owner.
         */
        patch: operations["renameOrganization"];
        trace?: never;
    };
    "/dashboard/api/organizations/{organizationId}/members": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
            };
            cookie?: never;
        };
        /**
         * List the members
         * @description Viewer. In the order in which they joined.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/organizations/{organizationId}/members/{memberId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
                /**
                 * @description The member's id.
                 * @example mem_0hXGm6Yb7sVqTzR2uKd4We
                 */
                memberId: components["parameters"]["MemberId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member
         * @description Owner. The last owner stays (409). Takes effect with the member's next request.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change a member's role
         * @description Owner. The last owner stays owner (409). Takes effect with the member's next request.
         */
        patch: operations["changeMemberRole"];
        trace?: never;
    };
    "/dashboard/api/organizations/{organizationId}/members/{memberId}/reset-link": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
                /**
                 * @description The member's id.
                 * @example mem_0hXGm6Yb7sVqTzR2uKd4We
                 */
                memberId: components["parameters"]["MemberId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a link by which a member chooses a new password
         * @description Owner, of every organization that the member belongs to: otherwise one organization could open another's door (409). The link is answered once and works for an hour.
         */
        post: operations["createResetLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/organizations/{organizationId}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
            };
            cookie?: never;
        };
        /**
         * List the invitations that nobody has accepted yet
         * @description Owner.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite somebody
         * @description Owner. The link is answered once; hand it to the person yourself. It works once, for seven days. Inviting an email again replaces its earlier invitation; one that is a member already is answered 409.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/organizations/{organizationId}/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
                /**
                 * @description The invitation's id.
                 * @example inv_0hXGm6Yb7sVqTzR2uKd4We
                 */
                invitationId: components["parameters"]["InvitationId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw an invitation
         * @description Owner.
         */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/organizations/{organizationId}/applications": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
            };
            cookie?: never;
        };
        /**
         * List the applications
         * @description Viewer. The oldest first.
         */
        get: operations["listApplications"];
        put?: never;
        /**
         * Create an application
         * @description Developer. Its environment is fixed for life.
         */
        post: operations["createApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/applications/{applicationId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application's id.
                 * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
                 */
                applicationId: components["parameters"]["ApplicationId"];
            };
            cookie?: never;
        };
        /**
         * Get an application
         * @description Viewer.
         */
        get: operations["getApplication"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change an application
         * @description Developer. What is left out stays as it is. Signed users can be required only where there is a signing secret (409).
         */
        patch: operations["updateApplication"];
        trace?: never;
    };
    "/dashboard/api/applications/{applicationId}/identity-secret": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application's id.
                 * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
                 */
                applicationId: components["parameters"]["ApplicationId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new secret for signing users
         * @description Developer. The backend signs the external user id with it (HMAC-SHA256, in hex), and the widget is started with that signature. Answered once. It takes the place of an earlier one at once.
         */
        post: operations["createIdentitySecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/applications/{applicationId}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application's id.
                 * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
                 */
                applicationId: components["parameters"]["ApplicationId"];
            };
            cookie?: never;
        };
        /**
         * List the access keys
         * @description Viewer. The newest first; revoked and expired ones too.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an access key
         * @description Developer. Its text is answered once and kept nowhere.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/applications/{applicationId}/api-keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application's id.
                 * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
                 */
                applicationId: components["parameters"]["ApplicationId"];
                /**
                 * @description The key's id.
                 * @example key_0hXGm6Yb7sVqTzR2uKd4We
                 */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an access key
         * @description Developer. Dead within one second on every process; revoking again changes nothing.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/applications/{applicationId}/institutions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application's id.
                 * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
                 */
                applicationId: components["parameters"]["ApplicationId"];
            };
            cookie?: never;
        };
        /**
         * List the institutions that an application can connect
         * @description Viewer. In alphabetical order.
         */
        get: operations["listInstitutions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/applications/{applicationId}/overview": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application's id.
                 * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
                 */
                applicationId: components["parameters"]["ApplicationId"];
            };
            cookie?: never;
        };
        /**
         * How an application is
         * @description Viewer. Connections by state, refreshes and requests over time, operations, keys, and the slowest institutions. Processes write their counts every ten seconds, in real time.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/applications/{applicationId}/connections": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application's id.
                 * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
                 */
                applicationId: components["parameters"]["ApplicationId"];
            };
            cookie?: never;
        };
        /**
         * List the connections
         * @description Viewer. The newest first; with `externalUserId` in the order of these ids, with `refreshedBefore` the one that has waited longest first. Page by page: pass `nextCursor` on as `cursor`, with the same filters.
         */
        get: operations["listConnections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/applications/{applicationId}/connections/{connectionId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application's id.
                 * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
                 */
                applicationId: components["parameters"]["ApplicationId"];
                /**
                 * @description The connection's id.
                 * @example con_1K8kWk5LBnJDO1d89Rak3B
                 */
                connectionId: components["parameters"]["ConnectionId"];
            };
            cookie?: never;
        };
        /**
         * Get a connection with its history
         * @description Viewer. The history has the last 100 events, the newest first.
         */
        get: operations["getConnection"];
        put?: never;
        post?: never;
        /**
         * Revoke a connection
         * @description Developer. The bank credentials are forgotten at once; what was read stays readable for 30 days. Revoking again changes nothing.
         */
        delete: operations["revokeConnection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/applications/{applicationId}/connections/{connectionId}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application's id.
                 * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
                 */
                applicationId: components["parameters"]["ApplicationId"];
                /**
                 * @description The connection's id.
                 * @example con_1K8kWk5LBnJDO1d89Rak3B
                 */
                connectionId: components["parameters"]["ConnectionId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh a connection now
         * @description Developer. The refresh is due from now on; its outcome appears in the history. A connection that needs its user to reconnect, is revoked, or is just being imported or reconnected is answered 409.
         */
        post: operations["refreshConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/applications/{applicationId}/connections/{connectionId}/break-credentials": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application's id.
                 * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
                 */
                applicationId: components["parameters"]["ApplicationId"];
                /**
                 * @description The connection's id.
                 * @example con_1K8kWk5LBnJDO1d89Rak3B
                 */
                connectionId: components["parameters"]["ConnectionId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Break the credentials of a sandbox connection
         * @description Developer. As if the user had changed the password at the bank: the next refresh is refused, and the connection needs its user to reconnect. Refused with 409 outside of the Sandbox and for a revoked connection.
         */
        post: operations["breakSandboxCredentials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/organizations/{organizationId}/sandbox": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
            };
            cookie?: never;
        };
        /**
         * The sandbox bank, its users and its clock
         * @description Viewer.
         */
        get: operations["getSandbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/organizations/{organizationId}/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move the sandbox's clock forward
         * @description Developer. All Sandbox applications of this service share one clock. What is due then happens at once; the clock goes forward only.
         */
        post: operations["advanceSandboxClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/organizations/{organizationId}/sandbox/files": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Load a file of bank entries
         * @description Developer. CSV, or CSV packed with gzip, sent as the body. It is read while it arrives, so the progress of the upload is the progress of the load. Columns login, account, date, transaction, amount, balance, description, reference and, where wanted, currency. Its logins can then be linked at every sandbox institution of this service. What is wrong with a file is answered 400, with the line and column; so is one of more than a gigabyte.
         */
        post: operations["loadSandboxFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/organizations/{organizationId}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
            };
            cookie?: never;
        };
        /**
         * Who did what, and when
         * @description Owner. The newest first, page by page.
         */
        get: operations["listAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/organizations/{organizationId}/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
            };
            cookie?: never;
        };
        /**
         * The log as CSV
         * @description Owner. Everything that fits the filters, the newest first, as a stream.
         */
        get: operations["exportAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** Format: date-time */
        Timestamp: string;
        /** @enum {string} */
        Role: "owner" | "developer" | "viewer";
        /** @enum {string} */
        Environment: "sandbox" | "production";
        Email: string;
        Password: string;
        DisplayName: string;
        /** @description An origin such as https://shop.example. */
        Origin: string;
        RenameRequest: {
            name: components["schemas"]["DisplayName"];
        };
        RedirectUrl: {
            url: string;
        };
        LinkToken: {
            token: string;
        };
        ResetLink: {
            /** @description Answered once. */
            link: string;
            expiresAt: components["schemas"]["Timestamp"];
        };
        SignInOptions: {
            /** @description False at the first start, until the first owner has accepted the link from the terminal. */
            hasMembers: boolean;
            /** @description Whether an OpenID provider is set. */
            oidc: boolean;
        };
        SignIn: {
            email: components["schemas"]["Email"];
            password: string;
        };
        Session: {
            session: {
                id: string;
                expiresAt: components["schemas"]["Timestamp"];
            };
            member: {
                id: string;
                email: string;
                name: string;
                hasPassword: boolean;
            };
            organizations: components["schemas"]["OrganizationMembership"][];
            /** @description Where consumers reach the service; for code samples. */
            baseUrl: string;
        };
        Organization: {
            id: string;
            name: string;
        };
        OrganizationMembership: {
            id: string;
            name: string;
            role: components["schemas"]["Role"];
        };
        PasskeyChallenge: {
            challengeId: string;
            /** @description For the browser's `parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`. */
            options: {
                [key: string]: unknown;
            };
        };
        PasskeyAssertion: {
            challengeId: string;
            /** @description The credential, as its `toJSON` gives it. */
            response: {
                [key: string]: unknown;
            };
        };
        StartPasskeyRegistration: {
            password?: string;
        };
        NewPasskey: {
            challengeId: string;
            name: components["schemas"]["DisplayName"];
            /** @description The credential, as its `toJSON` gives it. */
            response: {
                [key: string]: unknown;
            };
        };
        Passkey: {
            id: string;
            name: string;
            createdAt: components["schemas"]["Timestamp"];
            /** Format: date-time */
            lastUsedAt: string | null;
        };
        PasskeyList: {
            passkeys: components["schemas"]["Passkey"][];
        };
        InvitationView: {
            /** @description Empty for the first owner, who gives their own email when accepting. */
            email: string;
            organizationName: string;
            role: components["schemas"]["Role"];
            /** @description Whether this email has an account, whose password is then asked instead of a new one. */
            hasAccount: boolean;
            expiresAt: components["schemas"]["Timestamp"];
        };
        AcceptInvitation: {
            token: string;
            /** @description Only where the invitation names none. */
            email?: string;
            name?: components["schemas"]["DisplayName"];
            /** @description A new one has at least 12 characters. */
            password?: string;
        };
        ResetPassword: {
            token: string;
            password: components["schemas"]["Password"];
        };
        ChangePassword: {
            currentPassword?: string;
            newPassword: components["schemas"]["Password"];
        };
        MemberSession: {
            id: string;
            isCurrent: boolean;
            /**
             * @description How it was signed in to.
             * @enum {string}
             */
            method: "password" | "passkey" | "oidc" | "invitation";
            /** @description What the browser says it is (User-Agent), cut to 200 characters. */
            browser: string;
            address: string;
            createdAt: components["schemas"]["Timestamp"];
            lastUsedAt: components["schemas"]["Timestamp"];
            expiresAt: components["schemas"]["Timestamp"];
        };
        SessionList: {
            sessions: components["schemas"]["MemberSession"][];
        };
        Member: {
            id: string;
            email: string;
            name: string;
            role: components["schemas"]["Role"];
            joinedAt: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description When one of their sessions was last used.
             */
            lastSeenAt: string | null;
        };
        MemberList: {
            members: components["schemas"]["Member"][];
        };
        RoleChange: {
            role: components["schemas"]["Role"];
        };
        NewInvitation: {
            email: components["schemas"]["Email"];
            role: components["schemas"]["Role"];
        };
        Invitation: {
            id: string;
            email: string;
            role: components["schemas"]["Role"];
            createdAt: components["schemas"]["Timestamp"];
            expiresAt: components["schemas"]["Timestamp"];
        };
        InvitationList: {
            invitations: components["schemas"]["Invitation"][];
        };
        CreatedInvitation: {
            invitation: components["schemas"]["Invitation"];
            /** @description Answered once. */
            link: string;
        };
        Application: {
            id: string;
            organizationId: string;
            name: string;
            environment: components["schemas"]["Environment"];
            origins: string[];
            /** @description Whether native applications may open the widget, without a host page. */
            nativeAllowed: boolean;
            identity: {
                /**
                 * Format: date-time
                 * @description When the secret for signing users was made; null where there is none.
                 */
                secretCreatedAt: string | null;
                /** @description Whether an external user id must be signed. */
                required: boolean;
            };
            createdAt: components["schemas"]["Timestamp"];
        };
        ApplicationList: {
            applications: components["schemas"]["Application"][];
        };
        NewApplication: {
            name: components["schemas"]["DisplayName"];
            environment: components["schemas"]["Environment"];
            origins?: components["schemas"]["Origin"][];
        };
        ApplicationUpdate: {
            name?: components["schemas"]["DisplayName"];
            origins?: components["schemas"]["Origin"][];
            nativeAllowed?: boolean;
            identityRequired?: boolean;
        };
        IdentitySecret: {
            /** @description The key of the HMAC is this text, as it stands. Answered once. */
            secret: string;
        };
        ApiKey: {
            id: string;
            name: string;
            /** @enum {string} */
            state: "active" | "expired" | "revoked";
            createdAt: components["schemas"]["Timestamp"];
            /** @description The email of the member who made it; null where the operator's command did. */
            createdBy: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
            /**
             * Format: date-time
             * @description To the minute.
             */
            lastUsedAt: string | null;
        };
        ApiKeyList: {
            apiKeys: components["schemas"]["ApiKey"][];
        };
        NewApiKey: {
            name: components["schemas"]["DisplayName"];
            /**
             * Format: date-time
             * @description Without one the key does not expire. Must be in the future.
             */
            expiresAt?: string;
        };
        CreatedApiKey: {
            apiKey: components["schemas"]["ApiKey"];
            /** @description The text of the key. Returned once. */
            secret: string;
        };
        Institution: {
            id: string;
            name: string;
        };
        InstitutionList: {
            institutions: components["schemas"]["Institution"][];
        };
        /**
         * @description `pending` is linked, but the widget's page has not fetched the result yet; `needs_reconnect` is not refreshed until its user reconnects.
         * @enum {string}
         */
        ConnectionState: "pending" | "active" | "needs_reconnect" | "revoked";
        /**
         * @description Why the user must reconnect.
         * @enum {string}
         */
        ReconnectReason: "wrong_credentials" | "wrong_answer" | "locked" | "denied" | "user_action_required" | "no_accounts";
        Connection: {
            id: string;
            /** @description Null for an anonymous user. */
            externalUserId: string | null;
            institution: components["schemas"]["Institution"];
            state: components["schemas"]["ConnectionState"];
            reconnectReason: components["schemas"]["ReconnectReason"] | null;
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description The last refresh that succeeded.
             */
            refreshedAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
        };
        ConnectionPage: {
            connections: components["schemas"]["Connection"][];
            /** @description There where more follow. */
            nextCursor?: string;
        };
        ConnectionEvent: {
            at: components["schemas"]["Timestamp"];
            /**
             * @description `refresh_refused`: the bank refused the credentials or the access, and the user must reconnect. `refresh_failed`: it is retried. `credentials_broken`: by the sandbox tool.
             * @enum {string}
             */
            kind: "linked" | "refreshed" | "refresh_failed" | "refresh_refused" | "refresh_requested" | "reconnected" | "reconnect_failed" | "credentials_broken" | "revoked";
            /** @description A code, for `refresh_refused`, `refresh_failed` and `reconnect_failed`. */
            reason?: string;
            /**
             * @description Who requested it, for `refresh_requested`, `credentials_broken` and `revoked`.
             * @enum {string}
             */
            actor?: "member" | "api" | "operator";
        };
        ConnectionDetail: {
            connection: components["schemas"]["Connection"];
            /**
             * Format: date-time
             * @description When the next refresh is due; null where none is.
             */
            nextRefreshAt: string | null;
            /** @description How many accounts it has. Their names, numbers and balances are sealed to the end user. */
            accountCount: number;
            events: components["schemas"]["ConnectionEvent"][];
        };
        /**
         * @default day
         * @enum {string}
         */
        TimeRange: "hour" | "day" | "week" | "month";
        Overview: {
            from: components["schemas"]["Timestamp"];
            until: components["schemas"]["Timestamp"];
            bucketSeconds: number;
            /** @description How many there are now, by state. */
            connections: {
                pending: number;
                active: number;
                needsReconnect: number;
                revoked: number;
            };
            /** @description One entry for each bucket, empty ones too, the oldest first. */
            refreshes: {
                at: components["schemas"]["Timestamp"];
                succeeded: number;
                /** @description The bank said no; the user must reconnect. */
                refused: number;
                /** @description The bank could not be asked; it is tried again. */
                failed: number;
            }[];
            /** @description Requests of the public interface; one entry for each bucket, empty ones too, the oldest first. */
            requests: {
                at: components["schemas"]["Timestamp"];
                requests: number;
                /** @description Status 400 to 499. */
                clientErrors: number;
                /** @description Status 500 and above. */
                serverErrors: number;
            }[];
            /** @description The most used first. */
            operations: {
                operationId: string;
                requests: number;
                clientErrors: number;
                serverErrors: number;
                averageMs: number;
                slowestMs: number;
            }[];
            /** @description The most used first, at most 20. */
            apiKeys: {
                keyId: string;
                name: string;
                requests: number;
                clientErrors: number;
                serverErrors: number;
            }[];
            /** @description By how long a refresh takes on average, the slowest first, at most 10. */
            institutions: {
                institution: components["schemas"]["Institution"];
                refreshes: number;
                failures: number;
                averageMs: number;
                slowestMs: number;
            }[];
        };
        SandboxUser: {
            username: string;
            /** @description What the bank asks when the user signs in, and the answer. */
            challenges: {
                /** @enum {string} */
                kind: "code" | "question" | "choice" | "approval" | "denial" | "image";
                /** @description Null where there is nothing to type. */
                answer: string | null;
            }[];
            accounts: ("checking" | "savings" | "card" | "large")[];
            currency: string;
            /** @description What else is special about this user. */
            traits: ("locked" | "unavailable" | "slow" | "no_accounts" | "credentials_expire" | "transactions_change" | "transaction_ids_change" | "duplicate_transactions" | "many_transactions")[];
        };
        Sandbox: {
            /** @description Passwords that begin with this text are accepted. */
            password: string;
            users: components["schemas"]["SandboxUser"][];
            institutions: components["schemas"]["Institution"][];
            clock: {
                now: components["schemas"]["Timestamp"];
                /** @description How far it is ahead of real time. */
                offsetSeconds: number;
            };
        };
        ClockAdvance: {
            /** @description How far forward, up to ten years at a time. */
            seconds: number;
        };
        LoadedFile: {
            rows: number;
            logins: number;
            accounts: number;
        };
        /** @enum {string} */
        AuditAction: "signed_in" | "sign_in_failed" | "signed_out" | "session_ended" | "password_changed" | "password_reset" | "reset_link_created" | "passkey_added" | "passkey_removed" | "oidc_linked" | "organization_renamed" | "invitation_created" | "invitation_revoked" | "member_joined" | "member_role_changed" | "member_removed" | "application_created" | "application_renamed" | "origins_changed" | "native_use_changed" | "identity_secret_created" | "identity_requirement_changed" | "api_key_created" | "api_key_revoked" | "connection_refresh_requested" | "connection_revoked" | "sandbox_credentials_broken" | "sandbox_clock_advanced" | "sandbox_file_loaded" | "audit_exported";
        AuditEvent: {
            id: string;
            at: components["schemas"]["Timestamp"];
            action: components["schemas"]["AuditAction"];
            actor: {
                /** @description Null for the operator at the command line, and for somebody who did not get in. */
                memberId: string | null;
                email: string | null;
            };
            /** @description The id of what it was done to. Of a connection, which will be forgotten, only the end of its id. */
            subject: string | null;
            /** @description What else is worth knowing, such as a name, a role before and after, or origins. */
            details: {
                [key: string]: string;
            };
            /** @description The network address that it came from. */
            address: string | null;
        };
        AuditPage: {
            events: components["schemas"]["AuditEvent"][];
            /** @description There where more follow. */
            nextCursor?: string;
        };
        /** @description A problem document of RFC 9457, as the public interface has it. */
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "invalid_request" | "invalid_cursor" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "conflict" | "rate_limited" | "internal_error" | "unavailable";
            requestId: string;
            /** @description What is wrong with the request, on 400. */
            errors?: {
                path: string;
                message: string;
            }[];
        };
    };
    responses: {
        /** @description The request is malformed; `errors` says where. */
        InvalidRequest: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/invalid_request",
                 *       "title": "Invalid request",
                 *       "status": 400,
                 *       "detail": "The request has a parameter that cannot be used. See errors.",
                 *       "code": "invalid_request",
                 *       "requestId": "5f0c9a52e7d14b6f",
                 *       "errors": [
                 *         {
                 *           "path": "/body/name",
                 *           "message": "must be string"
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no session, or it is over; or what was signed in with is not right. One same body for every reason. */
        Unauthorized: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/unauthorized",
                 *       "title": "Unauthorized",
                 *       "status": 401,
                 *       "detail": "You are not signed in.",
                 *       "code": "unauthorized",
                 *       "requestId": "5f0c9a52e7d14b6f"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The role does not allow this, or the request did not come from the dashboard’s own page. */
        Forbidden: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/forbidden",
                 *       "title": "Forbidden",
                 *       "status": 403,
                 *       "detail": "These credentials do not allow this.",
                 *       "code": "forbidden",
                 *       "requestId": "5f0c9a52e7d14b6f"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such thing, or it belongs to an organization of others. */
        NotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/not_found",
                 *       "title": "Not found",
                 *       "status": 404,
                 *       "detail": "The application was not found.",
                 *       "code": "not_found",
                 *       "requestId": "5f0c9a52e7d14b6f"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The thing’s present state does not allow this. */
        Conflict: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/conflict",
                 *       "title": "Conflict",
                 *       "status": 409,
                 *       "detail": "The last owner stays owner.",
                 *       "code": "conflict",
                 *       "requestId": "5f0c9a52e7d14b6f"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests, or too many tries to sign in; `Retry-After` says how long to wait. */
        RateLimited: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/rate_limited",
                 *       "title": "Too many requests",
                 *       "status": 429,
                 *       "detail": "Too many requests. Ask again in 10 seconds.",
                 *       "code": "rate_limited",
                 *       "requestId": "5f0c9a52e7d14b6f"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A fault of the service. */
        InternalError: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/internal_error",
                 *       "title": "Internal error",
                 *       "status": 500,
                 *       "detail": "Something went wrong on our side.",
                 *       "code": "internal_error",
                 *       "requestId": "5f0c9a52e7d14b6f"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The service cannot answer now; asking again later may help. */
        Unavailable: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/unavailable",
                 *       "title": "Unavailable",
                 *       "status": 503,
                 *       "detail": "The service cannot answer just now. Ask again later.",
                 *       "code": "unavailable",
                 *       "requestId": "5f0c9a52e7d14b6f"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description The session's id.
         * @example ses_0hXGm6Yb7sVqTzR2uKd4We
         */
        SessionId: string;
        /**
         * @description The passkey's id.
         * @example psk_0hXGm6Yb7sVqTzR2uKd4We
         */
        PasskeyId: string;
        /**
         * @description The organization's id.
         * @example org_0hXGm6Yb7sVqTzR2uKd4We
         */
        OrganizationId: string;
        /**
         * @description The member's id.
         * @example mem_0hXGm6Yb7sVqTzR2uKd4We
         */
        MemberId: string;
        /**
         * @description The invitation's id.
         * @example inv_0hXGm6Yb7sVqTzR2uKd4We
         */
        InvitationId: string;
        /**
         * @description The application's id.
         * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
         */
        ApplicationId: string;
        /**
         * @description The key's id.
         * @example key_0hXGm6Yb7sVqTzR2uKd4We
         */
        KeyId: string;
        /**
         * @description The connection's id.
         * @example con_1K8kWk5LBnJDO1d89Rak3B
         */
        ConnectionId: string;
        /**
         * @description The `nextCursor` of the page before.
         * @example WyIyMDI0LTA1LTAxVDEwOjMwOjAwLjAwMFoiXQ
         */
        Cursor: string;
        /**
         * @description How many to answer at most.
         * @example 50
         */
        Limit: number;
        /**
         * @description Only what this member did.
         * @example mem_0hXGm6Yb7sVqTzR2uKd4We
         */
        MemberFilter: string;
        /**
         * @description Only this action.
         * @example api_key_revoked
         */
        ActionFilter: components["schemas"]["AuditAction"];
        /**
         * @description Only from this moment on.
         * @example 2024-05-01T00:00:00.000Z
         */
        From: string;
        /**
         * @description Only before this moment.
         * @example 2024-06-01T00:00:00.000Z
         */
        Until: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The name of this request in the service's log.
         * @example 5f0c9a52e7d14b6f
         */
        "Request-Id": string;
        /**
         * @description Seconds to wait before asking again.
         * @example 10
         */
        "Retry-After": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getSignInOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What can be used. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInOptions"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description Signed in; the cookie is set. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startPasskeySignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the browser is to be asked. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyChallenge"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signInWithPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyAssertion"];
            };
        };
        responses: {
            /** @description Signed in; the cookie is set. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startOidcSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where to go. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedirectUrl"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkToken"];
            };
        };
        responses: {
            /** @description The invitation. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationView"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitation"];
            };
        };
        responses: {
            /** @description Accepted and signed in; the cookie is set. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetPassword"];
            };
        };
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameRequest"];
            };
        };
        responses: {
            /** @description The session, with the new name. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePassword"];
            };
        };
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The session's id.
                 * @example ses_0hXGm6Yb7sVqTzR2uKd4We
                 */
                sessionId: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The passkeys. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPasskey"];
            };
        };
        responses: {
            /** @description The passkey. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startPasskeyRegistration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartPasskeyRegistration"];
            };
        };
        responses: {
            /** @description What the browser is to be asked. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyChallenge"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The passkey's id.
                 * @example psk_0hXGm6Yb7sVqTzR2uKd4We
                 */
                passkeyId: components["parameters"]["PasskeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    renameOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameRequest"];
            };
        };
        responses: {
            /** @description The organization. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The members. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
                /**
                 * @description The member's id.
                 * @example mem_0hXGm6Yb7sVqTzR2uKd4We
                 */
                memberId: components["parameters"]["MemberId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeMemberRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
                /**
                 * @description The member's id.
                 * @example mem_0hXGm6Yb7sVqTzR2uKd4We
                 */
                memberId: components["parameters"]["MemberId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoleChange"];
            };
        };
        responses: {
            /** @description The member. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createResetLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
                /**
                 * @description The member's id.
                 * @example mem_0hXGm6Yb7sVqTzR2uKd4We
                 */
                memberId: components["parameters"]["MemberId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResetLink"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitations. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInvitation"];
            };
        };
        responses: {
            /** @description The invitation and its link. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedInvitation"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
                /**
                 * @description The invitation's id.
                 * @example inv_0hXGm6Yb7sVqTzR2uKd4We
                 */
                invitationId: components["parameters"]["InvitationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApplications: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The applications. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApplicationList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewApplication"];
            };
        };
        responses: {
            /** @description The application. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Application"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application's id.
                 * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
                 */
                applicationId: components["parameters"]["ApplicationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The application. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Application"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application's id.
                 * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
                 */
                applicationId: components["parameters"]["ApplicationId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApplicationUpdate"];
            };
        };
        responses: {
            /** @description The application. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Application"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createIdentitySecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application's id.
                 * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
                 */
                applicationId: components["parameters"]["ApplicationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentitySecret"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application's id.
                 * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
                 */
                applicationId: components["parameters"]["ApplicationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys, without their texts. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application's id.
                 * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
                 */
                applicationId: components["parameters"]["ApplicationId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewApiKey"];
            };
        };
        responses: {
            /** @description The key and its text. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application's id.
                 * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
                 */
                applicationId: components["parameters"]["ApplicationId"];
                /**
                 * @description The key's id.
                 * @example key_0hXGm6Yb7sVqTzR2uKd4We
                 */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listInstitutions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application's id.
                 * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
                 */
                applicationId: components["parameters"]["ApplicationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The institutions. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstitutionList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOverview: {
        parameters: {
            query?: {
                /**
                 * @description How far back. An hour comes by minutes, a day by 15 minutes, a week by hours, a month by 6 hours.
                 * @example day
                 */
                range?: components["schemas"]["TimeRange"];
            };
            header?: never;
            path: {
                /**
                 * @description The application's id.
                 * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
                 */
                applicationId: components["parameters"]["ApplicationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The overview. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listConnections: {
        parameters: {
            query?: {
                /**
                 * @description Only users whose external id begins with this text, or is it.
                 * @example user-12
                 */
                externalUserId?: string;
                /**
                 * @description A connection's id as a whole, or the beginning of an external user id.
                 * @example con_1K8kWk5LBnJDO1d89Rak3B
                 */
                search?: string;
                /**
                 * @description Only this institution.
                 * @example sandbox-bank
                 */
                institutionId?: string;
                /**
                 * @description Only this state.
                 * @example needs_reconnect
                 */
                state?: components["schemas"]["ConnectionState"];
                /**
                 * @description Only those whose last refresh was before this moment (in the application's time).
                 * @example 2024-05-01T10:30:00.000Z
                 */
                refreshedBefore?: string;
                /**
                 * @description The `nextCursor` of the page before.
                 * @example WyIyMDI0LTA1LTAxVDEwOjMwOjAwLjAwMFoiXQ
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description How many to answer at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /**
                 * @description The application's id.
                 * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
                 */
                applicationId: components["parameters"]["ApplicationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of connections. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application's id.
                 * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
                 */
                applicationId: components["parameters"]["ApplicationId"];
                /**
                 * @description The connection's id.
                 * @example con_1K8kWk5LBnJDO1d89Rak3B
                 */
                connectionId: components["parameters"]["ConnectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionDetail"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application's id.
                 * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
                 */
                applicationId: components["parameters"]["ApplicationId"];
                /**
                 * @description The connection's id.
                 * @example con_1K8kWk5LBnJDO1d89Rak3B
                 */
                connectionId: components["parameters"]["ConnectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    refreshConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application's id.
                 * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
                 */
                applicationId: components["parameters"]["ApplicationId"];
                /**
                 * @description The connection's id.
                 * @example con_1K8kWk5LBnJDO1d89Rak3B
                 */
                connectionId: components["parameters"]["ConnectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    breakSandboxCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application's id.
                 * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
                 */
                applicationId: components["parameters"]["ApplicationId"];
                /**
                 * @description The connection's id.
                 * @example con_1K8kWk5LBnJDO1d89Rak3B
                 */
                connectionId: components["parameters"]["ConnectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSandbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sandbox. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sandbox"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    advanceSandboxClock: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClockAdvance"];
            };
        };
        responses: {
            /** @description The sandbox. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sandbox"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    loadSandboxFile: {
        parameters: {
            query: {
                /**
                 * @description The file's name, for messages; one that ends in `.gz` is unpacked.
                 * @example entries.csv.gz
                 */
                name: string;
            };
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description What was loaded. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoadedFile"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /**
                 * @description Only what this member did.
                 * @example mem_0hXGm6Yb7sVqTzR2uKd4We
                 */
                memberId?: components["parameters"]["MemberFilter"];
                /**
                 * @description Only this action.
                 * @example api_key_revoked
                 */
                action?: components["parameters"]["ActionFilter"];
                /**
                 * @description Only from this moment on.
                 * @example 2024-05-01T00:00:00.000Z
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description Only before this moment.
                 * @example 2024-06-01T00:00:00.000Z
                 */
                until?: components["parameters"]["Until"];
                /**
                 * @description The `nextCursor` of the page before.
                 * @example WyIyMDI0LTA1LTAxVDEwOjMwOjAwLjAwMFoiXQ
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description How many to answer at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the log. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportAuditEvents: {
        parameters: {
            query?: {
                /**
                 * @description Only what this member did.
                 * @example mem_0hXGm6Yb7sVqTzR2uKd4We
                 */
                memberId?: components["parameters"]["MemberFilter"];
                /**
                 * @description Only this action.
                 * @example api_key_revoked
                 */
                action?: components["parameters"]["ActionFilter"];
                /**
                 * @description Only from this moment on.
                 * @example 2024-05-01T00:00:00.000Z
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description Only before this moment.
                 * @example 2024-06-01T00:00:00.000Z
                 */
                until?: components["parameters"]["Until"];
            };
            header?: never;
            path: {
                /**
                 * @description The organization's id.
                 * @example org_0hXGm6Yb7sVqTzR2uKd4We
                 */
                organizationId: components["parameters"]["OrganizationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The log; the first line names the columns. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
