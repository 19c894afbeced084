// Generated from management/openapi.yaml by `npm run generate`. Do not edit.

export interface paths {
    "/management/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the available sign-in methods
         * @description Anyone. Returns the sign-in methods that the page offers.
         */
        get: operations["getSignInOptions"];
        put?: never;
        /**
         * Sign in with email and password
         * @description Anyone. An unknown email and a wrong password get the same response in the same time. After too many wrong passwords for an email from one client address, that address gets 429 for that email. Other addresses are not affected.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/sign-in/passkey/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start sign-in with a passkey
         * @description Anyone. Returns the options for `navigator.credentials.get`, valid for 5 minutes.
         */
        post: operations["startPasskeySignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/sign-in/passkey": {
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
         * @description Anyone. The body is the result of `navigator.credentials.get` as JSON.
         */
        post: operations["signInWithPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/sign-in/oidc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start sign-in through the OpenID provider
         * @description Anyone. Returns the URL to redirect to. Returns 404 if the service has no OpenID provider.
         */
        post: operations["startOidcSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/invitation/view": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an invitation
         * @description Anyone with the link. Returns 404 if the link was used or revoked, has expired or never existed.
         */
        post: operations["getInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/invitation/accept": {
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
         * @description Anyone with the link. A new member sets a name and a password. An existing member sends their password, unless the request has their session. A wrong password returns 401.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password with a reset link
         * @description Anyone with the link. Ends all of the member's sessions and removes their passkeys. Returns 404 if the link was used, has expired or never existed.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the session
         * @description Member, any session. Returns the member, their organizations and roles.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        /**
         * Sign out
         * @description Member, any session. Ends this session and clears the cookie.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/me": {
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
         * Change the member's name
         * @description Member.
         */
        patch: operations["updateProfile"];
        trace?: never;
    };
    "/management/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the member's password
         * @description Member. Requires the current password if there is one. A wrong password returns 403. Ends all other sessions.
         */
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the member's sessions
         * @description Member. Returns active sessions, most recently used first.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * End the member's other sessions
         * @description Member.
         */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/me/sessions/{sessionId}": {
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
         * End one of the member's sessions
         * @description Member.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/me/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the member's passkeys
         * @description Member.
         */
        get: operations["listPasskeys"];
        put?: never;
        /**
         * Add a passkey
         * @description Member, any session. The body is the result of `navigator.credentials.create` as JSON. If the session requires a passkey, a member without passkeys can add a first one, and the session then counts as opened by this passkey. A member with passkeys gets 403.
         */
        post: operations["addPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/me/passkeys/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start adding a passkey
         * @description Member, any session. Returns the options for `navigator.credentials.create`, valid for 5 minutes. Requires the member's password if there is one. A wrong password returns 403.
         */
        post: operations["startPasskeyRegistration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/me/passkeys/{passkeyId}": {
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
         * @description Member. Returns 409 for the last passkey while an organization requires passkeys.
         */
        delete: operations["removePasskey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/organizations/{organizationId}": {
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
         * @description Owner, scope `applications`.
         */
        patch: operations["renameOrganization"];
        trace?: never;
    };
    "/management/organizations/{organizationId}/company": {
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
         * Get the company
         * @description Viewer, scope `read`.
         */
        get: operations["getCompany"];
        /**
         * Set or remove the company
         * @description Owner, scope `applications`. Omitted fields are removed. A URL without a name returns 400.
         */
        put: operations["setCompany"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/organizations/{organizationId}/passkey-requirement": {
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
        /**
         * Require passkeys for all members, or stop requiring them
         * @description Owner. The owner must confirm with their own passkey, using the options from `startPasskeySignIn`. Otherwise, the response is 403.
         */
        put: operations["setPasskeyRequirement"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/organizations/{organizationId}/members": {
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
         * @description Viewer. Returns the members in the order in which they joined.
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
    "/management/organizations/{organizationId}/members/{memberId}": {
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
         * @description Owner. Takes effect with the member's next request. Returns 409 for the last owner.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change a member's role
         * @description Owner. Takes effect with the member's next request. Returns 409 for the last owner.
         */
        patch: operations["changeMemberRole"];
        trace?: never;
    };
    "/management/organizations/{organizationId}/members/{memberId}/reset-link": {
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
         * Create a password reset link for a member
         * @description Owner. The link gives access to all of the member's organizations, so the request returns 409 unless the caller owns each of them. The link is returned once, works once and expires after an hour.
         */
        post: operations["createResetLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/organizations/{organizationId}/invitations": {
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
         * List the pending invitations
         * @description Owner.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite a member
         * @description Owner. The link is returned once: send it to the invited person yourself. It works once and expires after 7 days. Inviting an email again replaces the earlier invitation. Returns 409 for the email of a member.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/organizations/{organizationId}/invitations/{invitationId}": {
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
         * Revoke an invitation
         * @description Owner.
         */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/organizations/{organizationId}/tokens": {
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
         * List the organization tokens
         * @description Owner. Returns the tokens, including revoked and expired ones, newest first.
         */
        get: operations["listOrganizationTokens"];
        put?: never;
        /**
         * Create an organization token
         * @description Owner. The secret is returned once and not stored.
         */
        post: operations["createOrganizationToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/organizations/{organizationId}/tokens/{tokenId}": {
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
                 * @description The id of the organization token.
                 * @example tok_0hXGm6Yb7sVqTzR2uKd4We
                 */
                tokenId: components["parameters"]["TokenId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an organization token
         * @description Owner. The token stops working within one second. Idempotent.
         */
        delete: operations["revokeOrganizationToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/organizations/{organizationId}/search": {
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
         * Find applications, connections, API keys and requests
         * @description Viewer, scope `read`. Returns at most five of each kind, from all applications of the organization.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/organizations/{organizationId}/applications": {
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
         * @description Viewer, scope `read`. Returns the applications, including archived ones, oldest first.
         */
        get: operations["listApplications"];
        put?: never;
        /**
         * Create an application
         * @description Developer, scope `applications`. The environment cannot be changed later.
         */
        post: operations["createApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/applications/{applicationId}": {
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
         * @description Viewer, scope `read`.
         */
        get: operations["getApplication"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change an application
         * @description Developer, scope `applications`. Omitted fields are not changed. Returns 409 if you require signed user ids before creating a signing secret.
         */
        patch: operations["updateApplication"];
        trace?: never;
    };
    "/management/applications/{applicationId}/archive": {
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
         * Archive an application
         * @description Owner, scope `applications`. An archived application creates no link sessions, refuses API requests and sends no webhooks. Its connections are neither refreshed nor deleted. Idempotent.
         */
        post: operations["archiveApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/applications/{applicationId}/restore": {
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
         * Restore an archived application
         * @description Owner, scope `applications`. Everything works as before, and the connections are refreshed within the usual time. Idempotent.
         */
        post: operations["restoreApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/applications/{applicationId}/rate-limit": {
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
         * Get the rate limit of an application
         * @description Viewer, scope `read`.
         */
        get: operations["getRateLimit"];
        /**
         * Set or remove the rate limit of an application
         * @description Owner, scope `applications`. Takes effect with the next request. A limit above the operator's returns 400. If the operator later sets a lower limit, the lower limit applies.
         */
        put: operations["setRateLimit"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/applications/{applicationId}/logo": {
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
        /**
         * Set the logo of an application
         * @description Developer, scope `applications`. The body is a PNG, JPEG or WebP file of at most 100 kB and 512 by 512 pixels. Anything else returns 400. The file replaces any earlier logo. End users see the logo in the widget.
         */
        put: operations["setApplicationLogo"];
        post?: never;
        /**
         * Remove the logo of an application
         * @description Developer, scope `applications`. Deletes the file. Changes nothing if there is no logo.
         */
        delete: operations["removeApplicationLogo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/applications/{applicationId}/consent": {
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
         * Get the consent text
         * @description Viewer, scope `read`. Returns the text that the widget currently shows, in English.
         */
        get: operations["getConsentText"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/applications/{applicationId}/identity-secret": {
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
         * Create a new secret for signing user ids
         * @description Developer, scope `applications`. Your backend uses the secret to sign external user ids and the connections to reconnect (HMAC-SHA256). Your page opens the widget with that signature. The secret is returned once and immediately replaces the earlier one.
         */
        post: operations["createIdentitySecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/applications/{applicationId}/api-keys": {
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
         * List the API keys
         * @description Viewer, scope `read`. Returns the API keys, including revoked and expired ones, newest first.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Developer, scope `applications`. The secret is returned once and not stored.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/applications/{applicationId}/api-keys/{keyId}": {
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
         * Revoke an API key
         * @description Developer, scope `applications`. The key stops working within one second. Idempotent.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/applications/{applicationId}/institutions": {
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
         * @description Viewer, scope `read`. Returns the institutions in alphabetical order.
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
    "/management/applications/{applicationId}/overview": {
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
         * Get the health of an application
         * @description Viewer, scope `read`. Returns connections by state, refreshes and requests over time, operations, API keys, and the slowest institutions. Metrics are written every 10 seconds of real time.
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
    "/management/applications/{applicationId}/connections": {
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
         * @description Viewer, scope `read`. Returns connections, newest first. With `externalUserId`, they are sorted by that id. With `refreshedBefore`, the least recently refreshed come first. Paginated: pass `nextCursor` as `cursor` with the same filters.
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
    "/management/applications/{applicationId}/connections/{connectionId}": {
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
         * @description Viewer, scope `read`. Returns the connection with the last 100 events of its history, newest first.
         */
        get: operations["getConnection"];
        put?: never;
        post?: never;
        /**
         * Revoke a connection
         * @description Developer, scope `connections`. Deletes the bank credentials immediately or, if the bank keeps a consent, as soon as the consent is ended. The data stays readable for 30 days by default. Idempotent.
         */
        delete: operations["revokeConnection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/applications/{applicationId}/connections/{connectionId}/consents": {
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
         * List the consents of a connection
         * @description Viewer, scope `read`. Returns the end user's last 100 consents, newest first. If a stored consent or its text was changed, the response is 500 without any consent.
         */
        get: operations["listConsents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/applications/{applicationId}/connections/{connectionId}/refresh": {
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
         * @description Developer, scope `connections`. The refresh is due immediately, and its outcome appears in the history. Returns 409 if the connection is revoked, needs a reconnect, or is being imported or reconnected. Returns 429 with `Retry-After` while the bank allows no refresh.
         */
        post: operations["refreshConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/applications/{applicationId}/connections/{connectionId}/break-credentials": {
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
         * @description Developer, scope `sandbox`. Simulates a password change at the bank: the next refresh is refused, and the user must reconnect. Returns 409 outside the Sandbox and for a revoked connection.
         */
        post: operations["breakSandboxCredentials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/applications/{applicationId}/link-sessions": {
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
         * List the link sessions
         * @description Viewer, scope `read`. Returns link sessions, newest first. Sessions without a selected institution are listed for a day but counted in the statistics for longer. Paginated: pass `nextCursor` as `cursor` with the same filters.
         */
        get: operations["listLinkSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/applications/{applicationId}/link-session-statistics": {
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
         * Count the link sessions by step and by institution
         * @description Viewer, scope `read`. Counts the link sessions opened in the last 7 or 30 days.
         */
        get: operations["getLinkSessionStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/applications/{applicationId}/requests": {
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
         * List the latest API requests
         * @description Viewer, scope `read`. Returns requests from the last seven days that had a valid API key, newest first: up to 1,000 successful and 10,000 unsuccessful requests. Requests are written every 10 seconds. Paginated: pass `nextCursor` as `cursor` with the same filters.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/applications/{applicationId}/webhook-endpoints": {
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
         * List the webhook endpoints
         * @description Viewer, scope `read`. Returns the endpoints, oldest first.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Add a webhook endpoint
         * @description Developer, scope `webhooks`. The secret is returned once. Returns 409 if the application already has ten endpoints.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/applications/{applicationId}/webhook-endpoints/{endpointId}": {
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
                 * @description The webhook endpoint's id.
                 * @example whe_0hXGm6Yb7sVqTzR2uKd4We
                 */
                endpointId: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Developer, scope `webhooks`. Drops its pending deliveries.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/applications/{applicationId}/webhook-endpoints/{endpointId}/enable": {
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
                 * @description The webhook endpoint's id.
                 * @example whe_0hXGm6Yb7sVqTzR2uKd4We
                 */
                endpointId: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable a disabled webhook endpoint
         * @description Developer, scope `webhooks`. The endpoint receives new events. You can replay failed events.
         */
        post: operations["enableWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/applications/{applicationId}/webhook-endpoints/{endpointId}/rotate-secret": {
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
                 * @description The webhook endpoint's id.
                 * @example whe_0hXGm6Yb7sVqTzR2uKd4We
                 */
                endpointId: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook endpoint
         * @description Developer, scope `webhooks`. The new secret is returned once. Events are signed with both secrets until the previous one expires.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/applications/{applicationId}/webhook-endpoints/{endpointId}/test": {
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
                 * @description The webhook endpoint's id.
                 * @example whe_0hXGm6Yb7sVqTzR2uKd4We
                 */
                endpointId: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a webhook endpoint
         * @description Developer, scope `webhooks`. Queues a `webhook.test` event, which is delivered like any other. Returns 409 if the endpoint is disabled.
         */
        post: operations["sendTestWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/applications/{applicationId}/webhook-endpoints/{endpointId}/deliveries": {
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
                 * @description The webhook endpoint's id.
                 * @example whe_0hXGm6Yb7sVqTzR2uKd4We
                 */
                endpointId: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        /**
         * List the deliveries to a webhook endpoint
         * @description Viewer, scope `read`. Returns the deliveries of the last 30 days, newest first. Paginated: pass `nextCursor` as `cursor` with the same `state`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/applications/{applicationId}/webhook-endpoints/{endpointId}/deliveries/{eventId}/replay": {
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
                 * @description The webhook endpoint's id.
                 * @example whe_0hXGm6Yb7sVqTzR2uKd4We
                 */
                endpointId: components["parameters"]["EndpointId"];
                /**
                 * @description The event's id.
                 * @example evt_0hXGm6Yb7sVqTzR2uKd4We
                 */
                eventId: components["parameters"]["EventId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver an event again
         * @description Developer, scope `webhooks`. The event is due immediately and gets the full number of attempts again under the same id. Returns 409 if the endpoint is disabled.
         */
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/applications/{applicationId}/webhook-endpoints/{endpointId}/replay-failed": {
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
                 * @description The webhook endpoint's id.
                 * @example whe_0hXGm6Yb7sVqTzR2uKd4We
                 */
                endpointId: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver all failed events again
         * @description Developer, scope `webhooks`. Replays the failed events of the last 30 days. Returns 409 if the endpoint is disabled.
         */
        post: operations["replayFailedWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/applications/{applicationId}/simplefin-accesses": {
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
         * List SimpleFIN access
         * @description Viewer, scope `read`. Returns SimpleFIN access, newest first. The list excludes access whose setup token has expired, and contains no bank data. Paginated: pass `nextCursor` as `cursor` with the same filter.
         */
        get: operations["listSimplefinAccesses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/applications/{applicationId}/simplefin-accesses/{accessId}": {
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
                 * @description The id of the SimpleFIN access.
                 * @example sfa_0hXGm6Yb7sVqTzR2uKd4We
                 */
                accessId: components["parameters"]["AccessId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke SimpleFIN access
         * @description Developer, scope `connections`. Deletes the access, claimed or not. The app can no longer read anything. Revoking the access again returns 404.
         */
        delete: operations["revokeSimplefinAccess"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/organizations/{organizationId}/sandbox": {
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
         * Get the organization's sandbox with its users and clock
         * @description Viewer, scope `read`.
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
    "/management/organizations/{organizationId}/sandbox/clock": {
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
         * Advance the sandbox's clock
         * @description Developer, scope `sandbox`. An organization's Sandbox applications share one clock, which never goes back. Everything due by the new time happens immediately. Other organizations have their own clocks.
         */
        post: operations["advanceSandboxClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/organizations/{organizationId}/sandbox/files": {
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
         * Import transactions from a file
         * @description Developer, scope `sandbox`. The body is CSV, optionally compressed with gzip, and is parsed during the upload. Columns: login, account, date, transaction, amount, balance, description, reference and, optionally, currency. This organization can then link the file's logins at every sandbox institution. An invalid file returns 400 with line and column. A file is also limited to 100,000 rows and 32 MiB after decompression, and an organization to 1,000,000 rows; above a limit, the response is 400 with the limit. If a file is rejected, no rows are imported.
         */
        post: operations["loadSandboxFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/organizations/{organizationId}/audit": {
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
         * List the audit log
         * @description Owner, scope `audit`. Returns events, newest first. Paginated.
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
    "/management/organizations/{organizationId}/audit/export": {
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
         * Export the audit log as CSV
         * @description Owner, scope `audit`. Streams all events that match the filters, newest first.
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
        /** @description An origin such as https://shop.example or http://localhost:8080, without wildcard or path. */
        Origin: string;
        /** @description The URL of a native application to which users return from a bank's own page, such as shop://bank-return or https://shop.example/bank-return, without query or fragment. */
        ReturnAddress: string;
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
            /** @description Returned once. */
            link: string;
            expiresAt: components["schemas"]["Timestamp"];
        };
        SignInOptions: {
            /** @description False until the first owner has accepted the link from the terminal. */
            hasMembers: boolean;
            /** @description True if an OpenID provider is configured. */
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
                /**
                 * @description The step that the member must take first, because an organization requires passkeys: add a first passkey, or sign in with one. Absent if the session is not restricted.
                 * @enum {string}
                 */
                requiredStep?: "add_passkey" | "use_passkey";
            };
            member: {
                id: string;
                email: string;
                name: string;
                hasPassword: boolean;
            };
            organizations: components["schemas"]["OrganizationMembership"][];
            /** @description The public URL of the service, for code samples. */
            baseUrl: string;
        };
        Organization: {
            id: string;
            name: string;
        };
        /** @description The company behind an organization's applications. End users see the company in the consent. */
        Company: {
            name?: components["schemas"]["DisplayName"];
            /** @description The URL of the company's privacy policy. */
            privacyUrl?: components["schemas"]["PolicyUrl"];
            /** @description The URL of the company's terms. */
            termsUrl?: components["schemas"]["PolicyUrl"];
        };
        /** @description An https URL without a user name or password. */
        PolicyUrl: string;
        OrganizationMembership: {
            id: string;
            name: string;
            role: components["schemas"]["Role"];
            /** @description Whether the organization requires passkeys. */
            passkeysRequired: boolean;
        };
        PasskeyChallenge: {
            challengeId: string;
            /** @description The options for the browser's `parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`. */
            options: {
                [key: string]: unknown;
            };
        };
        /** @description The `challengeId` that came with the challenge. */
        ChallengeId: string;
        PasskeyAssertion: {
            challengeId: components["schemas"]["ChallengeId"];
            /** @description The result of the credential's `toJSON`. */
            response: {
                [key: string]: unknown;
            };
        };
        PasskeyRequirement: {
            isRequired: boolean;
            confirmation: components["schemas"]["PasskeyAssertion"];
        };
        StartPasskeyRegistration: {
            password?: string;
        };
        NewPasskey: {
            challengeId: components["schemas"]["ChallengeId"];
            name: components["schemas"]["DisplayName"];
            /** @description The result of the credential's `toJSON`. */
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
            /** @description Empty for the first owner, who enters an email when accepting. */
            email: string;
            organizationName: string;
            role: components["schemas"]["Role"];
            /** @description Whether this email already has an account. If so, accepting requires the account's password instead of a new one. */
            hasAccount: boolean;
            expiresAt: components["schemas"]["Timestamp"];
        };
        AcceptInvitation: {
            token: string;
            /** @description The email. Only if the invitation has none. */
            email?: string;
            name?: components["schemas"]["DisplayName"];
            /** @description A new password must have at least 12 characters. */
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
             * @description The sign-in method.
             * @enum {string}
             */
            method: "password" | "passkey" | "oidc" | "invitation";
            /** @description The User-Agent, truncated to 200 characters. */
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
             * @description When one of the member's sessions was last used.
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
            /** @description Returned once. */
            link: string;
        };
        Application: {
            id: string;
            organizationId: string;
            name: string;
            /** @description The path of the logo on this service. Absent if there is none. */
            logo?: string;
            /** @description The color of the widget's buttons. Absent for the default color. */
            color?: components["schemas"]["Color"];
            environment: components["schemas"]["Environment"];
            origins: string[];
            /** @description Whether native applications may open the widget without a host page. */
            nativeAllowed: boolean;
            returnAddresses: string[];
            identity: {
                /**
                 * Format: date-time
                 * @description When the secret for signing user ids was created. Null if there is none.
                 */
                secretCreatedAt: string | null;
                /** @description Whether external user ids must be signed. */
                required: boolean;
            };
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description When the application was archived. Null if it is not archived.
             */
            archivedAt: string | null;
        };
        RateLimit: {
            /** @description The owners' limit in requests per minute. Null if they have not set one. */
            requestsPerMinute: number | null;
            /** @description The operator's limit in requests per minute. The lower of the two limits applies. */
            operatorRequestsPerMinute: number;
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
            returnAddresses?: components["schemas"]["ReturnAddress"][];
            identityRequired?: boolean;
            /** @description The color, or null for the default color. */
            color?: components["schemas"]["Color"] | null;
        };
        Color: string;
        IdentitySecret: {
            /** @description Use the text itself as the HMAC key, without decoding. Returned once. */
            secret: string;
        };
        ApiKey: {
            id: string;
            name: string;
            /** @enum {string} */
            state: "active" | "expired" | "revoked";
            createdAt: components["schemas"]["Timestamp"];
            /** @description The email of the member or the id of the organization token that created the key. Null if an operator's command created it. */
            createdBy: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
            /**
             * Format: date-time
             * @description Accurate to the minute.
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
             * @description Must be in the future. If omitted, the key does not expire.
             */
            expiresAt?: string;
        };
        CreatedApiKey: {
            apiKey: components["schemas"]["ApiKey"];
            /** @description The secret key. Returned once. */
            secret: string;
        };
        /**
         * @description `read`: read everything a viewer sees, except the members. `audit`: read the audit log. `applications`: change applications, API keys and the company. `connections`: refresh and revoke connections, and revoke SimpleFIN access. `webhooks`: change webhook endpoints and replay events. `sandbox`: advance the clock, import files and break credentials.
         * @enum {string}
         */
        TokenScope: "read" | "audit" | "applications" | "connections" | "webhooks" | "sandbox";
        OrganizationToken: {
            id: string;
            name: string;
            role: components["schemas"]["Role"];
            scopes: components["schemas"]["TokenScope"][];
            /** @enum {string} */
            state: "active" | "expired" | "revoked";
            createdAt: components["schemas"]["Timestamp"];
            /** @description The email of the owner who created it. */
            createdBy: string;
            expiresAt: components["schemas"]["Timestamp"];
            /** Format: date-time */
            revokedAt: string | null;
            /**
             * Format: date-time
             * @description Accurate to the minute.
             */
            lastUsedAt: string | null;
        };
        OrganizationTokenList: {
            tokens: components["schemas"]["OrganizationToken"][];
        };
        NewOrganizationToken: {
            name: components["schemas"]["DisplayName"];
            role: components["schemas"]["Role"];
            scopes: components["schemas"]["TokenScope"][];
            /**
             * Format: date-time
             * @description Must be in the future, at most 366 days from now.
             */
            expiresAt: string;
        };
        CreatedOrganizationToken: {
            token: components["schemas"]["OrganizationToken"];
            /** @description The token. Returned once. */
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
         * @description The state. `pending`: the connection is linked, but the widget has not fetched the result yet. `needs_reconnect`: the connection is not refreshed until its user reconnects.
         * @enum {string}
         */
        ConnectionState: "pending" | "active" | "needs_reconnect" | "revoked";
        /**
         * @description The reason why the user must reconnect.
         * @enum {string}
         */
        ReconnectReason: "wrong_credentials" | "wrong_answer" | "locked" | "denied" | "user_action_required" | "no_accounts" | "consent_expired" | "fingerprint_key_lost";
        Connection: {
            id: string;
            /** @description Your own id for the end user. Null for an anonymous end user. */
            externalUserId: string | null;
            institution: components["schemas"]["Institution"];
            state: components["schemas"]["ConnectionState"];
            reconnectReason: components["schemas"]["ReconnectReason"] | null;
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description The last successful refresh.
             */
            refreshedAt: string | null;
            /**
             * Format: date-time
             * @description When the end user's consent at the bank expires. Null if the bank does not provide it.
             */
            consentExpiresAt: string | null;
            /** @description The earlier connection of the same end user that already had one of this connection's accounts when this connection was created. */
            duplicateOf: string | null;
            /** Format: date-time */
            revokedAt: string | null;
        };
        SearchResults: {
            applications: components["schemas"]["Application"][];
            connections: {
                applicationId: string;
                connection: components["schemas"]["Connection"];
            }[];
            apiKeys: {
                applicationId: string;
                apiKey: components["schemas"]["ApiKey"];
            }[];
            requests: {
                applicationId: string;
                requestId: string;
                at: components["schemas"]["Timestamp"];
                operation: string;
                status: number;
            }[];
        };
        ConnectionPage: {
            connections: components["schemas"]["Connection"][];
            /** @description Absent on the last page. */
            nextCursor?: string;
        };
        ConnectionEvent: {
            at: components["schemas"]["Timestamp"];
            /**
             * @description The kind of event. `refresh_refused`: the bank refused the credentials or access, and the user must reconnect. `refresh_failed`: the refresh failed and will be retried. `credentials_broken`: the sandbox tool broke the credentials.
             * @enum {string}
             */
            kind: "linked" | "refreshed" | "refresh_failed" | "refresh_refused" | "refresh_requested" | "reconnected" | "reconnect_failed" | "credentials_broken" | "revoked";
            /** @description The reason code, for `refresh_refused`, `refresh_failed` and `reconnect_failed`. */
            reason?: string;
            /**
             * @description Who requested it, for `refresh_requested`, `credentials_broken` and `revoked`.
             * @enum {string}
             */
            actor?: "member" | "token" | "api" | "operator";
        };
        ConnectionDetail: {
            connection: components["schemas"]["Connection"];
            /**
             * Format: date-time
             * @description When the next refresh is due. Null if none is scheduled.
             */
            nextRefreshAt: string | null;
            /**
             * Format: date-time
             * @description When the bank allows refreshes again after a rate limit. Null otherwise.
             */
            pausedUntil: string | null;
            /** @description The number of accounts. Names, numbers and balances are encrypted for the end user. */
            accountCount: number;
            /** @description The accounts for which the bank sent no complete data in the last refresh. */
            laggingAccounts: {
                id: string;
                /**
                 * Format: date-time
                 * @description When the account's transactions were last read. Null if never.
                 */
                readAt: string | null;
            }[];
            /** @description The number of posted transactions that became `void` because the bank no longer lists them. */
            withdrawnTransactions: number;
            /** @description How often the bank left out more than half of an account's posted transactions. They become `void` only if they are still missing 20 hours later. */
            doubtedReadings: number;
            events: components["schemas"]["ConnectionEvent"][];
        };
        ConsentList: {
            consents: components["schemas"]["Consent"][];
        };
        Consent: {
            /**
             * Format: date-time
             * @description When the end user accepted the consent (by the application's clock).
             */
            acceptedAt: string;
            text: components["schemas"]["ConsentText"];
        };
        /** @description The text that the end user saw. */
        ConsentText: {
            /** @description A BCP 47 tag, such as `de`. */
            language: string;
            title: string;
            points: {
                title: string;
                text: string;
            }[];
            agreement: string;
            links: {
                label: string;
                url: string;
            }[];
        };
        /**
         * @default day
         * @enum {string}
         */
        TimeRange: "hour" | "day" | "week" | "month";
        OverdueJobs: {
            count: number;
            /** @description How long the oldest has been due, in seconds. */
            longestSeconds: number;
        };
        Overview: {
            from: components["schemas"]["Timestamp"];
            until: components["schemas"]["Timestamp"];
            bucketSeconds: number;
            /** @description The number of running processes with a worker, for all applications. Without a worker, nothing is imported or refreshed. */
            workers: number;
            /** @description Refreshes of this application that have been due for more than an hour. */
            overdueRefreshes: components["schemas"]["OverdueJobs"];
            /** @description Imports and reconnects of this application that have been due for more than a minute. For each, a user is waiting in the widget. */
            overdueImports: components["schemas"]["OverdueJobs"];
            /** @description Sign-ins in the widget in the last hour that exceeded the application's limit per minute. Addresses with an unsuccessful sign-in were refused in that minute. */
            signInsOverLimit: {
                allowed: number;
                refused: number;
            };
            /** @description The institution in this environment with the highest share of refresh capacity in use, among the 50 with the most connections across all applications. Above 100 percent, the institution's refreshes become overdue. Absent if there are no connections. */
            refreshLoad?: {
                /** @description The institution's name. */
                institution: string;
                percent: number;
            };
            /** @description The address of a proxy whose `X-Forwarded-For` is ignored because TRUSTED_PROXIES does not list the proxy. Limits by client address count all of its clients as one. For all applications. */
            ignoredProxy?: string;
            /** @description The number of this application's webhook endpoints that do not work. */
            webhooks: {
                /** @description Excludes disabled endpoints. */
                failing: number;
                disabled: number;
            };
            /** @description The completed steps of setting up the application. */
            firstSteps: {
                /** @description Whether an API key is active. */
                hasApiKey: boolean;
                /** @description Whether a link session was opened. */
                widgetOpened: boolean;
                /** @description Whether a request used one of the application's API keys. */
                requestSent: boolean;
            };
            /** @description The current number of connections by state. */
            connections: {
                pending: number;
                active: number;
                needsReconnect: number;
                revoked: number;
            };
            /** @description One item per bucket, including empty buckets, oldest first. */
            refreshes: {
                at: components["schemas"]["Timestamp"];
                succeeded: number;
                /** @description The bank refused, and the user must reconnect. */
                refused: number;
                /** @description The bank could not be reached, and the refresh is retried. */
                failed: number;
            }[];
            /** @description Requests to the public API. One item per bucket, including empty buckets, oldest first. */
            requests: {
                at: components["schemas"]["Timestamp"];
                requests: number;
                /** @description Status 400 to 499. */
                clientErrors: number;
                /** @description Status 500 and above. */
                serverErrors: number;
            }[];
            /** @description Most used first. */
            operations: {
                operationId: string;
                requests: number;
                clientErrors: number;
                serverErrors: number;
                averageMs: number;
                slowestMs: number;
            }[];
            /** @description Most used first, at most 20. */
            apiKeys: {
                keyId: string;
                name: string;
                requests: number;
                clientErrors: number;
                serverErrors: number;
            }[];
            /** @description By average refresh duration, slowest first, at most 10. */
            institutions: {
                institution: components["schemas"]["Institution"];
                refreshes: number;
                failures: number;
                averageMs: number;
                slowestMs: number;
            }[];
        };
        /**
         * @description - `connected`: the page received the result.
         *     - `failed`: the session ended with a reason.
         *     - `left`: the user canceled, or the session expired.
         *     - `open`: none of the above yet.
         * @enum {string}
         */
        LinkSessionOutcome: "connected" | "failed" | "left" | "open";
        /**
         * @description The reason for a failure, as documented in the widget's API.
         * @enum {string}
         */
        LinkSessionFailure: "locked" | "denied" | "wrong_credentials" | "wrong_answer" | "institution_down" | "institution_timeout" | "institution_incomplete" | "no_accounts" | "accounts_mismatch" | "user_action_required" | "session_expired" | "superseded" | "internal";
        LinkSession: {
            id: string;
            createdAt: components["schemas"]["Timestamp"];
            /** @description Whether the session reconnects a connection. */
            reconnect: boolean;
            /** @description The last selected institution. */
            institution: components["schemas"]["Institution"] | null;
            /**
             * @description The furthest state that was reached.
             * @enum {string}
             */
            reached: "consent" | "institution" | "credentials" | "challenge" | "accounts" | "importing" | "finished";
            outcome: components["schemas"]["LinkSessionOutcome"];
            /** @description The reason. Null unless the session failed. */
            reason: components["schemas"]["LinkSessionFailure"] | null;
            /** @description The connection. Null unless the session is connected. */
            connectionId: string | null;
        };
        LinkSessionPage: {
            linkSessions: components["schemas"]["LinkSession"][];
            /** @description Absent on the last page. */
            nextCursor?: string;
        };
        LinkSessionStatistics: {
            opened: number;
            /** @description The number of sessions that reconnect. They start at the credentials. */
            reconnects: number;
            /** @description The number of sessions that reached each state or a later one. A reconnect counts only from `credentials` on, so `institution` can be less than `credentials`. */
            reached: {
                institution: number;
                credentials: number;
                accounts: number;
                importing: number;
                finished: number;
            };
            connected: number;
            /** @description The counts by last selected institution, most selected first, at most 50. */
            institutions: {
                institution: components["schemas"]["Institution"];
                /** @description Includes open sessions. */
                sessions: number;
                connected: number;
                failed: number;
                left: number;
                /** @description The failed sessions by reason, most frequent first. */
                failures: {
                    reason: components["schemas"]["LinkSessionFailure"];
                    sessions: number;
                }[];
            }[];
        };
        /**
         * @description - `succeeded`: a status below 400.
         *     - `refused`: 400 to 499.
         *     - `failed`: 500 and above.
         * @enum {string}
         */
        RequestOutcome: "succeeded" | "refused" | "failed";
        LoggedRequest: {
            requestId: string;
            at: components["schemas"]["Timestamp"];
            /** @description An operation of the public API or the SimpleFIN server, for example `listTransactions`. */
            operation: string;
            status: number;
            outcome: components["schemas"]["RequestOutcome"];
            /** @description The error code. Null if the request succeeded. */
            code: string | null;
            /** @description The names of the invalid parameters, never their values. `unknown` replaces a name that is not a query parameter of these APIs. */
            parameters: string[];
            /** @description Null if the API key is no longer known. */
            apiKey: {
                id: string;
                name: string;
            } | null;
            milliseconds: number;
        };
        RequestPage: {
            requests: components["schemas"]["LoggedRequest"][];
            /** @description Absent on the last page. */
            nextCursor?: string;
        };
        /**
         * @description The state. `failing`: no attempt has succeeded since the first failure. `disabled`: the endpoint receives no events until it is enabled.
         * @enum {string}
         */
        WebhookEndpointState: "active" | "failing" | "disabled";
        WebhookEndpoint: {
            id: string;
            url: string;
            state: components["schemas"]["WebhookEndpointState"];
            /**
             * Format: date-time
             * @description When the first attempt after the last success failed.
             */
            failingSince: string | null;
            /** Format: date-time */
            disabledAt: string | null;
            /**
             * @description The reason. `gone`: the endpoint returned 410. `failing`: no attempt succeeded for five days.
             * @enum {string|null}
             */
            disabledReason: "gone" | "failing" | null;
            createdAt: components["schemas"]["Timestamp"];
            /** @description The number of deliveries in the last 30 days by state. */
            deliveries: {
                pending: number;
                delivered: number;
                failed: number;
            };
        };
        WebhookEndpointList: {
            webhookEndpoints: components["schemas"]["WebhookEndpoint"][];
        };
        NewWebhookEndpoint: {
            /** @description The URL to which events are sent. Must be https for a Production application. */
            url: string;
        };
        CreatedWebhookEndpoint: {
            webhookEndpoint: components["schemas"]["WebhookEndpoint"];
            secret: components["schemas"]["WebhookSecret"];
        };
        /** @description The secret that signs the events, as in the Standard Webhooks specification. Returned once. */
        WebhookSecret: string;
        RotatedWebhookSecret: {
            secret: components["schemas"]["WebhookSecret"];
            previousSecretExpiresAt: components["schemas"]["Timestamp"];
        };
        QueuedWebhook: {
            eventId: string;
        };
        /**
         * @description The state. `pending`: the event is waiting for its first or next attempt. `failed`: there are no more attempts unless the event is replayed.
         * @enum {string}
         */
        WebhookDeliveryState: "pending" | "delivered" | "failed";
        /**
         * @description Why an attempt had no response:
         *
         *     - `forbidden_address`: the address is in a private network.
         *     - `certificate_untrusted`: the service does not trust the authority that signed the certificate.
         *     - `tls_not_spoken`: the endpoint did not respond with TLS, but for example with plain HTTP.
         *     - `tls_failed`: any other TLS failure.
         *     - `endpoint_disabled`, `application_archived`: no attempt was made.
         *     - `invalid_secret`: something other than the service changed the stored secret or URL.
         * @enum {string}
         */
        WebhookError: "timeout" | "name_not_found" | "forbidden_address" | "connection_failed" | "certificate_untrusted" | "certificate_expired" | "certificate_not_yet_valid" | "certificate_wrong_host" | "tls_not_spoken" | "tls_failed" | "endpoint_disabled" | "application_archived" | "invalid_secret";
        WebhookDelivery: {
            eventId: string;
            /** @description An event type of the public API, for example `transactions.updated`. */
            type: string;
            /** @description The connection. Null for a test event. */
            connectionId: string | null;
            state: components["schemas"]["WebhookDeliveryState"];
            attempts: number;
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description When the next attempt is due. Null unless the state is `pending`.
             */
            nextAttemptAt: string | null;
            /** Format: date-time */
            lastAttemptAt: string | null;
            /** @description The status of the last response. Null if there was none. */
            lastStatus: number | null;
            lastError: components["schemas"]["WebhookError"] | null;
        };
        WebhookDeliveryPage: {
            deliveries: components["schemas"]["WebhookDelivery"][];
            /** @description Absent on the last page. */
            nextCursor?: string;
        };
        ReplayedWebhooks: {
            count: number;
        };
        SimplefinAccess: {
            id: string;
            /** @description The name of the app that reads the accounts. */
            label: string;
            /** @description Your own id for the end user. Null for an anonymous end user. */
            externalUserId: string | null;
            /** @description Whether pending transactions are omitted from all responses. */
            postedOnly: boolean;
            /**
             * @description The state. `unclaimed`: the setup token has not been used yet.
             * @enum {string}
             */
            state: "unclaimed" | "active";
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description When accounts were last read. Null if never.
             */
            lastUsedAt: string | null;
        };
        SimplefinAccessPage: {
            accesses: components["schemas"]["SimplefinAccess"][];
            /** @description Absent on the last page. */
            nextCursor?: string;
        };
        SandboxUser: {
            username: string;
            /** @description The sign-in challenges and their answers. */
            challenges: {
                /** @enum {string} */
                kind: "code" | "question" | "choice" | "approval" | "denial" | "image" | "redirect";
                /** @description The answer. Null if the user types nothing. */
                answer: string | null;
            }[];
            accounts: ("checking" | "savings" | "card" | "large")[];
            currency: string;
            /** @description The special behavior of this user. */
            traits: ("locked" | "unavailable" | "slow" | "no_accounts" | "credentials_expire" | "transactions_change" | "account_lags" | "rate_limited" | "consent_ends" | "account_added" | "history_forgotten" | "posted_change" | "reading_asked" | "transaction_ids_change" | "duplicate_transactions" | "many_transactions")[];
        };
        Sandbox: {
            /** @description Passwords with this prefix are accepted. */
            password: string;
            users: components["schemas"]["SandboxUser"][];
            institutions: components["schemas"]["Institution"][];
            clock: {
                now: components["schemas"]["Timestamp"];
                /** @description How far the clock is ahead of real time, in seconds. */
                offsetSeconds: number;
            };
        };
        ClockAdvance: {
            /** @description How far to advance the clock, at most 10 years. */
            seconds: number;
        };
        LoadedFile: {
            rows: number;
            logins: number;
            accounts: number;
        };
        /** @enum {string} */
        AuditAction: "signed_in" | "sign_in_failed" | "signed_out" | "session_ended" | "password_changed" | "password_reset" | "reset_link_created" | "passkey_added" | "passkey_removed" | "oidc_linked" | "webhook_endpoint_created" | "webhook_endpoint_deleted" | "webhook_endpoint_enabled" | "webhook_secret_rotated" | "simplefin_access_created" | "simplefin_access_revoked" | "organization_created" | "organization_renamed" | "company_changed" | "passkey_requirement_changed" | "invitation_created" | "invitation_revoked" | "member_joined" | "member_role_changed" | "member_removed" | "application_created" | "application_renamed" | "application_archived" | "application_restored" | "application_logo_changed" | "application_color_changed" | "rate_limit_changed" | "origins_changed" | "native_use_changed" | "return_addresses_changed" | "identity_secret_created" | "identity_requirement_changed" | "api_key_created" | "api_key_revoked" | "organization_token_created" | "organization_token_revoked" | "connection_refresh_requested" | "connection_revoked" | "consent_not_given_back" | "sandbox_credentials_broken" | "sandbox_clock_advanced" | "sandbox_file_loaded" | "sandbox_password_changed" | "secret_rotated" | "audit_exported";
        AuditEvent: {
            id: string;
            at: components["schemas"]["Timestamp"];
            action: components["schemas"]["AuditAction"];
            actor: {
                /** @description Null for organization tokens, operator commands and failed sign-ins. */
                memberId: string | null;
                /** @description The organization token that made the request. Null otherwise. */
                tokenId: string | null;
                email: string | null;
            };
            /** @description The id of the affected resource. Connection ids are truncated, because connections are deleted later. */
            subject: string | null;
            /** @description More details, such as a name, the old and the new role, or origins. */
            details: {
                [key: string]: string;
            };
            /** @description The network address of the request. */
            address: string | null;
        };
        AuditPage: {
            events: components["schemas"]["AuditEvent"][];
            /** @description Absent on the last page. */
            nextCursor?: string;
        };
        /** @description A problem document (RFC 9457), as in the public API. */
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "invalid_request" | "invalid_cursor" | "unauthorized" | "forbidden" | "passkey_required" | "wrong_address" | "not_found" | "method_not_allowed" | "conflict" | "rate_limited" | "internal_error" | "unavailable";
            requestId: string;
            /** @description The invalid values. Present only with status 400. */
            errors?: {
                path: string;
                message: string;
            }[];
        };
    };
    responses: {
        /** @description The request is invalid. `errors` lists every invalid value. */
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
                 *       "detail": "The request is not valid. See errors.",
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
        /** @description The session is missing or has expired, the credentials are wrong, or the token is invalid, revoked or expired. All session errors have the same body, and so do all token errors. */
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
                 *       "detail": "You are not signed in, or the credentials are not valid.",
                 *       "code": "unauthorized",
                 *       "requestId": "5f0c9a52e7d14b6f"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The role or the scopes do not allow this. For a token, `detail` gives the reason. `wrong_address`: the request did not come from the dashboard at the service's URL, which `detail` names. */
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
        /** @description The resource does not exist or belongs to another organization. */
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
        /** @description The current state of the resource does not allow this. */
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
                 *       "detail": "The last owner cannot be changed. Make another member an owner first.",
                 *       "code": "conflict",
                 *       "requestId": "5f0c9a52e7d14b6f"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests or sign-in attempts. Retry after the number of seconds in `Retry-After`. */
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
                 *       "detail": "Too many requests. Retry in 10 seconds.",
                 *       "code": "rate_limited",
                 *       "requestId": "5f0c9a52e7d14b6f"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The service failed. */
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
                 *       "detail": "The service failed. The error was logged.",
                 *       "code": "internal_error",
                 *       "requestId": "5f0c9a52e7d14b6f"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The service is temporarily unavailable. */
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
                 *       "detail": "The service is temporarily unavailable. Retry later.",
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
         * @description The webhook endpoint's id.
         * @example whe_0hXGm6Yb7sVqTzR2uKd4We
         */
        EndpointId: string;
        /**
         * @description The event's id.
         * @example evt_0hXGm6Yb7sVqTzR2uKd4We
         */
        EventId: string;
        /**
         * @description The id of the organization token.
         * @example tok_0hXGm6Yb7sVqTzR2uKd4We
         */
        TokenId: string;
        /**
         * @description The id of the SimpleFIN access.
         * @example sfa_0hXGm6Yb7sVqTzR2uKd4We
         */
        AccessId: string;
        /**
         * @description The `nextCursor` of the previous page.
         * @example WyIyMDI0LTA1LTAxVDEwOjMwOjAwLjAwMFoiXQ
         */
        Cursor: string;
        /**
         * @description The maximum number of items.
         * @example 50
         */
        Limit: number;
        /**
         * @description Only actions of this member.
         * @example mem_0hXGm6Yb7sVqTzR2uKd4We
         */
        MemberFilter: string;
        /**
         * @description Only this action.
         * @example api_key_revoked
         */
        ActionFilter: components["schemas"]["AuditAction"];
        /**
         * @description Only events at or after this time.
         * @example 2024-05-01T00:00:00.000Z
         */
        From: string;
        /**
         * @description Only events before this time.
         * @example 2024-06-01T00:00:00.000Z
         */
        Until: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The request's id in the service's log.
         * @example 5f0c9a52e7d14b6f
         */
        "Request-Id": string;
        /**
         * @description The number of seconds to wait before the next request.
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
            /** @description The sign-in methods. */
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
            /** @description The member is signed in, and the cookie is set. */
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
            /** @description The WebAuthn options. */
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
            /** @description The member is signed in, and the cookie is set. */
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
            /** @description The URL to redirect to. */
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
            /** @description The invitation is accepted, the member is signed in, and the cookie is set. */
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
            /** @description Success. The response has no body. */
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
            /** @description Success. The response has no body. */
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
            /** @description Success. The response has no body. */
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
            /** @description Success. The response has no body. */
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
            /** @description Success. The response has no body. */
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
            /** @description The WebAuthn options. */
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
            /** @description Success. The response has no body. */
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
    getCompany: {
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
            /** @description The company. Empty if none is set. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Company"];
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
    setCompany: {
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
                "application/json": components["schemas"]["Company"];
            };
        };
        responses: {
            /** @description The company. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Company"];
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
    setPasskeyRequirement: {
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
                "application/json": components["schemas"]["PasskeyRequirement"];
            };
        };
        responses: {
            /** @description Success. The response has no body. */
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
            /** @description Success. The response has no body. */
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
            /** @description Success. The response has no body. */
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
    listOrganizationTokens: {
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
            /** @description The tokens, without their secrets. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationTokenList"];
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
    createOrganizationToken: {
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
                "application/json": components["schemas"]["NewOrganizationToken"];
            };
        };
        responses: {
            /** @description The token and its secret. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedOrganizationToken"];
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
    revokeOrganizationToken: {
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
                 * @description The id of the organization token.
                 * @example tok_0hXGm6Yb7sVqTzR2uKd4We
                 */
                tokenId: components["parameters"]["TokenId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. The response has no body. */
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
    search: {
        parameters: {
            query: {
                /**
                 * @description A part of an application's or API key's name, the beginning of an external user id, the beginning of a connection id or request id (at least 8 characters), or the id of an application or API key.
                 * @example user-12
                 */
                text: string;
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
            /** @description The matching resources. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResults"];
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
            403: components["responses"]["Forbidden"];
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
            403: components["responses"]["Forbidden"];
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
    archiveApplication: {
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreApplication: {
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRateLimit: {
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
            /** @description The limit. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimit"];
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
    setRateLimit: {
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
                "application/json": {
                    /** @description The requests per minute from the application's backends. Null for the operator's limit. */
                    requestsPerMinute: number | null;
                };
            };
        };
        responses: {
            /** @description The limit. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimit"];
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
    setApplicationLogo: {
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
                "application/octet-stream": string;
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
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeApplicationLogo: {
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getConsentText: {
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
            /** @description The text. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentText"];
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
            /** @description The API keys, without their secrets. */
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
            403: components["responses"]["Forbidden"];
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
            /** @description The API key and its secret. */
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
            /** @description Success. The response has no body. */
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
            403: components["responses"]["Forbidden"];
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
                 * @description The period. Buckets are 1 minute for an hour, 15 minutes for a day, 1 hour for a week and 6 hours for a month.
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
            403: components["responses"]["Forbidden"];
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
                 * @description Only users whose external id has this prefix.
                 * @example user-12
                 */
                externalUserId?: string;
                /**
                 * @description A complete connection id, or a prefix of an external user id.
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
                 * @description Only connections last refreshed before this time (by the application's clock).
                 * @example 2024-05-01T10:30:00.000Z
                 */
                refreshedBefore?: string;
                /**
                 * @description Only connections whose consent at the bank ends before this time (by the application's clock).
                 * @example 2024-05-08T10:30:00.000Z
                 */
                consentExpiresBefore?: string;
                /**
                 * @description The `nextCursor` of the previous page.
                 * @example WyIyMDI0LTA1LTAxVDEwOjMwOjAwLjAwMFoiXQ
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description The maximum number of items.
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
            403: components["responses"]["Forbidden"];
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
            403: components["responses"]["Forbidden"];
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
            /** @description Success. The response has no body. */
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
    listConsents: {
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
            /** @description The consents. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentList"];
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
            /** @description Success. The response has no body. */
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
            /** @description Success. The response has no body. */
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
    listLinkSessions: {
        parameters: {
            query?: {
                /**
                 * @description Only this outcome.
                 * @example failed
                 */
                outcome?: components["schemas"]["LinkSessionOutcome"];
                /**
                 * @description Only this institution.
                 * @example sandbox-bank
                 */
                institutionId?: string;
                /**
                 * @description Only the link session with this id.
                 * @example lks_0hXGm6Yb7sVqTzR2uKd4We
                 */
                linkSessionId?: string;
                /**
                 * @description The `nextCursor` of the previous page.
                 * @example WyIyMDI0LTA1LTAxVDEwOjMwOjAwLjAwMFoiXQ
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description The maximum number of items.
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
            /** @description A page of link sessions. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkSessionPage"];
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
    getLinkSessionStatistics: {
        parameters: {
            query?: {
                /**
                 * @description The number of days.
                 * @example 30
                 */
                days?: 7 | 30;
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
            /** @description The counts. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkSessionStatistics"];
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
    listRequests: {
        parameters: {
            query?: {
                /**
                 * @description Only the request with this id (the `Request-Id` of its response).
                 * @example 5f0c9a52e7d14b6f8a31c0d2e4b69f75
                 */
                requestId?: string;
                /**
                 * @description Only this outcome.
                 * @example refused
                 */
                outcome?: components["schemas"]["RequestOutcome"];
                /**
                 * @description Only this operation of the public API or the SimpleFIN server.
                 * @example listTransactions
                 */
                operation?: string;
                /**
                 * @description The `nextCursor` of the previous page.
                 * @example WyIyMDI0LTA1LTAxVDEwOjMwOjAwLjAwMFoiXQ
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description The maximum number of items.
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
            /** @description A page of requests. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestPage"];
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
    listWebhookEndpoints: {
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
            /** @description The endpoints, without their secrets. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointList"];
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
    createWebhookEndpoint: {
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
                "application/json": components["schemas"]["NewWebhookEndpoint"];
            };
        };
        responses: {
            /** @description The endpoint and its secret. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhookEndpoint"];
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
    deleteWebhookEndpoint: {
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
                 * @description The webhook endpoint's id.
                 * @example whe_0hXGm6Yb7sVqTzR2uKd4We
                 */
                endpointId: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. The response has no body. */
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
    enableWebhookEndpoint: {
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
                 * @description The webhook endpoint's id.
                 * @example whe_0hXGm6Yb7sVqTzR2uKd4We
                 */
                endpointId: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. The response has no body. */
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
    rotateWebhookSecret: {
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
                 * @description The webhook endpoint's id.
                 * @example whe_0hXGm6Yb7sVqTzR2uKd4We
                 */
                endpointId: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new secret. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedWebhookSecret"];
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
    sendTestWebhook: {
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
                 * @description The webhook endpoint's id.
                 * @example whe_0hXGm6Yb7sVqTzR2uKd4We
                 */
                endpointId: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueuedWebhook"];
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
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description Only this state.
                 * @example failed
                 */
                state?: components["schemas"]["WebhookDeliveryState"];
                /**
                 * @description The `nextCursor` of the previous page.
                 * @example WyIyMDI0LTA1LTAxVDEwOjMwOjAwLjAwMFoiXQ
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description The maximum number of items.
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
                /**
                 * @description The webhook endpoint's id.
                 * @example whe_0hXGm6Yb7sVqTzR2uKd4We
                 */
                endpointId: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
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
    replayWebhook: {
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
                 * @description The webhook endpoint's id.
                 * @example whe_0hXGm6Yb7sVqTzR2uKd4We
                 */
                endpointId: components["parameters"]["EndpointId"];
                /**
                 * @description The event's id.
                 * @example evt_0hXGm6Yb7sVqTzR2uKd4We
                 */
                eventId: components["parameters"]["EventId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. The response has no body. */
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
    replayFailedWebhooks: {
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
                 * @description The webhook endpoint's id.
                 * @example whe_0hXGm6Yb7sVqTzR2uKd4We
                 */
                endpointId: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of events. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayedWebhooks"];
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
    listSimplefinAccesses: {
        parameters: {
            query?: {
                /**
                 * @description Only the end user with exactly this external id.
                 * @example user-1207
                 */
                externalUserId?: string;
                /**
                 * @description The `nextCursor` of the previous page.
                 * @example WyIyMDI0LTA1LTAxVDEwOjMwOjAwLjAwMFoiXQ
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description The maximum number of items.
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
            /** @description A page of SimpleFIN access. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimplefinAccessPage"];
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
    revokeSimplefinAccess: {
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
                 * @description The id of the SimpleFIN access.
                 * @example sfa_0hXGm6Yb7sVqTzR2uKd4We
                 */
                accessId: components["parameters"]["AccessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. The response has no body. */
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
            403: components["responses"]["Forbidden"];
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
                 * @description The file's name, used in error messages. A name ending in `.gz` means gzip.
                 * @example transactions.csv.gz
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
            /** @description The numbers of imported rows, logins and accounts. */
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
                 * @description Only actions of this member.
                 * @example mem_0hXGm6Yb7sVqTzR2uKd4We
                 */
                memberId?: components["parameters"]["MemberFilter"];
                /**
                 * @description Only this action.
                 * @example api_key_revoked
                 */
                action?: components["parameters"]["ActionFilter"];
                /**
                 * @description Only events at or after this time.
                 * @example 2024-05-01T00:00:00.000Z
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description Only events before this time.
                 * @example 2024-06-01T00:00:00.000Z
                 */
                until?: components["parameters"]["Until"];
                /**
                 * @description The `nextCursor` of the previous page.
                 * @example WyIyMDI0LTA1LTAxVDEwOjMwOjAwLjAwMFoiXQ
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description The maximum number of items.
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
            /** @description A page of the audit log. */
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
                 * @description Only actions of this member.
                 * @example mem_0hXGm6Yb7sVqTzR2uKd4We
                 */
                memberId?: components["parameters"]["MemberFilter"];
                /**
                 * @description Only this action.
                 * @example api_key_revoked
                 */
                action?: components["parameters"]["ActionFilter"];
                /**
                 * @description Only events at or after this time.
                 * @example 2024-05-01T00:00:00.000Z
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description Only events before this time.
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
            /** @description The audit log. The first line has the column names. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    /** @description The file name, which contains the organization's name and today's date. */
                    "Content-Disposition"?: string;
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
