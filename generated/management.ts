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
         * @description Anyone. Returns what the sign-in page offers.
         */
        get: operations["getSignInOptions"];
        put?: never;
        /**
         * Sign in with email and password
         * @description Anyone. An unknown email and a wrong password get the same response in the same time. A client address with too many wrong passwords for an email gets 429 for this email, independently of other addresses.
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
         * Start sign-in at the OpenID provider
         * @description Anyone. Returns the URL to which the page then redirects. 404 if the service has no provider.
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
         * @description Anyone with the link. 404 if it was used or revoked, has expired or never existed.
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
         * @description Anyone with the link. A new member sets a name and a password. An existing member gives their password, unless the request has their session. A wrong password gets 401.
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
         * @description Anyone with the link. Ends all sessions of the member and removes their passkeys. 404 if the link was used, has expired or never existed.
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
         * @description Member. Requires the current password, if there is one; a wrong one gets 403. Ends all other sessions.
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
         * End all other sessions of the member
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
         * End a session of the member
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
         * @description Member, any session. The body is the result of `navigator.credentials.create` as JSON. In a session that needs a passkey, only a member's first one can be added (403 otherwise); the session then counts as opened by it.
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
         * @description Member, any session. Returns the options for `navigator.credentials.create`, valid for 5 minutes. Requires the member's password, if there is one; a wrong one gets 403.
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
         * @description Member. The last one cannot be removed while an organization requires passkeys (409).
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
         * @description Owner, scope `applications`. Omitted fields are removed. An address without a name gets 400.
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
         * Require passkeys of all members, or stop requiring them
         * @description Owner. The owner confirms with their own passkey, using the options of `startPasskeySignIn`; otherwise, the response is 403.
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
         * @description Viewer. Returns the members in the order of joining.
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
         * @description Owner. The last owner cannot be removed (409). Takes effect with the member's next request.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change a member's role
         * @description Owner. The role of the last owner cannot change (409). Takes effect with the member's next request.
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
         * @description Owner. The owner must own every organization of the member (409 otherwise), because the link gives access to all of them. The link is returned once, works once and expires after an hour.
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
         * @description Owner. The link is returned once, for the owner to deliver. It works once and expires after 7 days. Inviting an email again replaces its earlier invitation. The email of a member gets 409.
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
         * @description Owner. Newest first, including revoked and expired ones.
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
         * @description Owner. Every process refuses the token within one second. Idempotent.
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
         * @description Developer, scope `applications`. Omitted fields are not changed. Requiring signed user ids needs a signing secret (409 otherwise).
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
         * @description Owner, scope `applications`. The application creates no link sessions, answers no requests and sends no webhooks. Its connections are neither refreshed nor deleted. Archiving it again changes nothing.
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
         * @description Owner, scope `applications`. Everything works as before, and the connections are refreshed within the usual time. Restoring an application that is not archived changes nothing.
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
         * @description Owner, scope `applications`. Takes effect with the next request. A limit above the operator's gets 400. If the operator later lowers theirs, the lower one counts.
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
         * @description Developer, scope `applications`. The body is a PNG, JPEG or WebP file of at most 100 kB and 512 by 512 pixels; anything else gets 400. It replaces an earlier logo. End users see it in the widget.
         */
        put: operations["setApplicationLogo"];
        post?: never;
        /**
         * Remove the logo of an application
         * @description Developer, scope `applications`. Deletes the file. Without a logo, nothing changes.
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
         * @description Viewer, scope `read`. Returns the text as the widget shows it now, in English.
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
         * @description Developer, scope `applications`. The backend signs external user ids and the connections to reconnect with it (HMAC-SHA256), and the page opens the widget with that signature. The secret is returned once, and replaces an earlier one at once.
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
         * @description Developer, scope `applications`. Every process refuses the key within one second. Idempotent.
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
         * @description Viewer, scope `read`. Returns connections by state, refreshes and requests over time, operations, API keys, and the slowest institutions. Processes write their metrics every 10 seconds, in real time.
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
         * @description Viewer, scope `read`. Returns connections, newest first; with `externalUserId` in the order of these ids, with `refreshedBefore` least recently refreshed first. Paginated: pass `nextCursor` as `cursor` with the same filters.
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
         * @description Developer, scope `connections`. Deletes the bank credentials at once or, if the bank keeps a consent, once that is ended. The data stays readable for 30 days by default. Idempotent.
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
         * @description Viewer, scope `read`. Returns the last 100 consents of the end user, newest first. If a stored consent or its text was changed, the response is 500, and none is shown.
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
         * @description Developer, scope `connections`. The refresh is due at once, and its outcome appears in the history. 409 if the connection is revoked, needs its user to reconnect, or is being imported or reconnected. 429 while the bank allows no refresh; `Retry-After` says for how long.
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
         * @description Developer, scope `sandbox`. Acts as if the user had changed the password at the bank: the next refresh is refused, and the user must reconnect. 409 outside the Sandbox and for a revoked connection.
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
         * @description Viewer, scope `read`. Returns link sessions, newest first. Sessions without a selected institution are listed for a day, and counted in the statistics for longer. Paginated: pass `nextCursor` as `cursor` with the same filters.
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
         * @description Viewer, scope `read`. Counts the link sessions that were opened in the last 7 or 30 days.
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
         * List the latest requests to the API
         * @description Viewer, scope `read`. Returns requests with a valid API key of the last seven days, newest first: at most the newest 1,000 that succeeded and the newest 10,000 that did not. Processes write them every 10 seconds. Paginated: pass `nextCursor` as `cursor` with the same filters.
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
         * @description Developer, scope `webhooks`. The secret is returned once. 409 if the application has ten endpoints.
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
         * Enable a webhook endpoint that was disabled
         * @description Developer, scope `webhooks`. The endpoint receives events from now on. Failed ones can be replayed.
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
         * Replace the secret of a webhook endpoint
         * @description Developer, scope `webhooks`. The new secret is returned once. Events are signed with both until the previous one expires.
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
         * @description Developer, scope `webhooks`. Queues a `webhook.test`, delivered like any other event. 409 if the endpoint is disabled.
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
         * @description Viewer, scope `read`. Returns the deliveries of the last 30 days, newest first. Paginated: pass `nextCursor` as `cursor` with the same state.
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
         * @description Developer, scope `webhooks`. The event is due at once, and gets all its attempts again under the same id. 409 if the endpoint is disabled.
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
         * @description Developer, scope `webhooks`. Replays the failed events of the last 30 days. 409 if the endpoint is disabled.
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
         * List the SimpleFIN accesses
         * @description Viewer, scope `read`. Returns accesses, newest first, without those whose setup token has expired, and without the data that they read. Paginated: pass `nextCursor` as `cursor` with the same filter.
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
         * Revoke a SimpleFIN access
         * @description Developer, scope `connections`. Deletes the access, claimed or not. Its application can read nothing more. Revoking it again gets 404.
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
         * Get the organization's sandbox, with users and clock
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
         * @description Developer, scope `sandbox`. All Sandbox applications of an organization share one clock, which never goes back. Everything due until then happens at once. Other organizations have other clocks.
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
         * Load a file with transactions
         * @description Developer, scope `sandbox`. The body is CSV, optionally compressed with gzip, and is parsed while it is uploaded. Columns: login, account, date, transaction, amount, balance, description, reference and, optionally, currency. This organization can then link its logins at every sandbox institution. An invalid file gets 400 with line and column. A file of more than 100,000 rows, of more than 32 MiB after unpacking, or with which the organization would keep more than 1,000,000 rows, gets 400 with the limit. Nothing of a refused file is loaded.
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
        /** @description An origin such as https://shop.example or http://localhost:8080; no wildcard, no path. */
        Origin: string;
        /** @description A URL at which a native application gets users back from a bank's own page, such as shop://bank-return or https://shop.example/bank-return; no query and no fragment. */
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
                 * @description The step that the member must take before anything else, because an organization requires passkeys: add the first one, or sign in with one. Absent if the session is not limited.
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
        /** @description The company behind the applications of an organization. End users see it in the consent. */
        Company: {
            name?: components["schemas"]["DisplayName"];
            /** @description The address of its privacy policy. */
            privacyUrl?: components["schemas"]["PolicyUrl"];
            /** @description The address of its terms. */
            termsUrl?: components["schemas"]["PolicyUrl"];
        };
        /** @description An https address without a user name or password. */
        PolicyUrl: string;
        OrganizationMembership: {
            id: string;
            name: string;
            role: components["schemas"]["Role"];
            /** @description True if members need a passkey. */
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
            /** @description Empty for the first owner, who provides an email when accepting. */
            email: string;
            organizationName: string;
            role: components["schemas"]["Role"];
            /** @description True if this email has an account. Its password is then required instead of a new one. */
            hasAccount: boolean;
            expiresAt: components["schemas"]["Timestamp"];
        };
        AcceptInvitation: {
            token: string;
            /** @description The email, only if the invitation has none. */
            email?: string;
            name?: components["schemas"]["DisplayName"];
            /** @description A new password has at least 12 characters. */
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
            /** @description Returned once. */
            link: string;
        };
        Application: {
            id: string;
            organizationId: string;
            name: string;
            /** @description The path of the logo on this service; absent if there is none. */
            logo?: string;
            /** @description The color of its buttons in the widget; absent for the default color. */
            color?: components["schemas"]["Color"];
            environment: components["schemas"]["Environment"];
            origins: string[];
            /** @description True if native applications may open the widget without a host page. */
            nativeAllowed: boolean;
            returnAddresses: string[];
            identity: {
                /**
                 * Format: date-time
                 * @description When the secret for signing user ids was created; null if there is none.
                 */
                secretCreatedAt: string | null;
                /** @description True if external user ids must be signed. */
                required: boolean;
            };
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description When it was archived; null if it is not.
             */
            archivedAt: string | null;
        };
        RateLimit: {
            /** @description The requests per minute that owners allow; null if they have set no limit. */
            requestsPerMinute: number | null;
            /** @description The requests per minute that the operator allows; the lower limit counts. */
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
            /** @description The HMAC key is this text itself, not decoded. Returned once. */
            secret: string;
        };
        ApiKey: {
            id: string;
            name: string;
            /** @enum {string} */
            state: "active" | "expired" | "revoked";
            createdAt: components["schemas"]["Timestamp"];
            /** @description The email of the member, or the id of the organization token, that created it; null if created by an operator's command. */
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
             * @description Must be in the future. Without it the key does not expire.
             */
            expiresAt?: string;
        };
        CreatedApiKey: {
            apiKey: components["schemas"]["ApiKey"];
            /** @description The secret key. Returned once. */
            secret: string;
        };
        /**
         * @description `read`: everything that a viewer sees, except the members. `audit`: the audit log. `applications`: change applications, API keys and the company. `connections`: refresh and revoke connections, and revoke SimpleFIN accesses. `webhooks`: change webhook endpoints and replay events. `sandbox`: the clock, files, and broken credentials.
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
             * @description To the minute.
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
             * @description In the future, and at most 366 days from now.
             */
            expiresAt: string;
        };
        CreatedOrganizationToken: {
            token: components["schemas"]["OrganizationToken"];
            /** @description The token itself. Returned once. */
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
         * @description The state. `pending` is linked, but the widget's page has not fetched the result yet. `needs_reconnect` is not refreshed until its user reconnects.
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
            /** @description The consumer's own id for the end user; null for an anonymous one. */
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
            /**
             * Format: date-time
             * @description When the end user's consent at the bank ends; null if the bank does not provide it.
             */
            consentExpiresAt: string | null;
            /** @description The earlier connection of the same end user that had one of the same accounts when this one was created. */
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
            /** @description Present if there are more. */
            nextCursor?: string;
        };
        ConnectionEvent: {
            at: components["schemas"]["Timestamp"];
            /**
             * @description The kind of event. `refresh_refused`: the bank refused the credentials or the access, and the user must reconnect. `refresh_failed`: the refresh is retried. `credentials_broken`: the sandbox tool broke the credentials.
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
             * @description When the next refresh is due; null if none is scheduled.
             */
            nextRefreshAt: string | null;
            /**
             * Format: date-time
             * @description When the bank, which was read too often, allows refreshes again; null otherwise.
             */
            pausedUntil: string | null;
            /** @description The number of accounts. Their names, numbers and balances are encrypted for the end user. */
            accountCount: number;
            /** @description The accounts for which the bank did not answer completely at the last refresh. */
            laggingAccounts: {
                id: string;
                /**
                 * Format: date-time
                 * @description When its transactions were last read; null if they never were.
                 */
                readAt: string | null;
            }[];
            /** @description The number of posted transactions that became `void` because the bank no longer lists them. */
            withdrawnTransactions: number;
            /** @description The number of readings in which the bank left out more than half of the posted transactions of an account. Such a reading voids nothing, unless another one confirms it 20 hours later. */
            doubtedReadings: number;
            events: components["schemas"]["ConnectionEvent"][];
        };
        ConsentList: {
            consents: components["schemas"]["Consent"][];
        };
        Consent: {
            /**
             * Format: date-time
             * @description When it was accepted (by the application's clock).
             */
            acceptedAt: string;
            text: components["schemas"]["ConsentText"];
        };
        /** @description The text that the end user has read. */
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
            /** @description The seconds for which the oldest has been due. */
            longestSeconds: number;
        };
        Overview: {
            from: components["schemas"]["Timestamp"];
            until: components["schemas"]["Timestamp"];
            bucketSeconds: number;
            /** @description The running processes with a worker, for all applications. Without one, nothing is imported or refreshed. */
            workers: number;
            /** @description Refreshes of this application that have been due for more than an hour. */
            overdueRefreshes: components["schemas"]["OverdueJobs"];
            /** @description Imports and reconnects of this application that have been due for more than a minute. A user waits in the widget for each of them. */
            overdueImports: components["schemas"]["OverdueJobs"];
            /** @description Sign-ins in the widget in the last hour beyond the application's limit per minute. In that minute, addresses with an unsuccessful sign-in were refused. */
            signInsOverLimit: {
                allowed: number;
                refused: number;
            };
            /** @description The institution of this environment that uses most of its refresh capacity, among the 50 with the most connections of all applications. Over 100 percent, its refreshes become overdue. Missing without connections. */
            refreshLoad?: {
                /** @description Its name. */
                institution: string;
                percent: number;
            };
            /** @description The address of a proxy whose `X-Forwarded-For` is ignored, because TRUSTED_PROXIES does not list it. Limits by client address count all its clients as one. For all applications. */
            ignoredProxy?: string;
            /** @description The numbers of webhook endpoints of this application that do not work. */
            webhooks: {
                /** @description Without disabled ones. */
                failing: number;
                disabled: number;
            };
            /** @description The steps of setting up the application that were ever taken. */
            firstSteps: {
                /** @description True if an API key is active. */
                hasApiKey: boolean;
                /** @description True if a link session was opened. */
                widgetOpened: boolean;
                /** @description True if a request had a valid API key of it. */
                requestSent: boolean;
            };
            /** @description The current number by state. */
            connections: {
                pending: number;
                active: number;
                needsReconnect: number;
                revoked: number;
            };
            /** @description One item per bucket, including empty ones, oldest first. */
            refreshes: {
                at: components["schemas"]["Timestamp"];
                succeeded: number;
                /** @description The bank refused; the user must reconnect. */
                refused: number;
                /** @description The bank could not be reached; the refresh is retried. */
                failed: number;
            }[];
            /** @description Requests to the public API; one item per bucket, including empty ones, oldest first. */
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
            /** @description By average duration of a refresh, slowest first, at most 10. */
            institutions: {
                institution: components["schemas"]["Institution"];
                refreshes: number;
                failures: number;
                averageMs: number;
                slowestMs: number;
            }[];
        };
        /**
         * @description - `connected`: the page has received the result.
         *     - `failed`: it ended with a reason.
         *     - `left`: the user canceled, or it expired before its end.
         *     - `open`: none of these yet.
         * @enum {string}
         */
        LinkSessionOutcome: "connected" | "failed" | "left" | "open";
        /**
         * @description The reason for a failure, as the widget's contract explains.
         * @enum {string}
         */
        LinkSessionFailure: "locked" | "denied" | "wrong_credentials" | "wrong_answer" | "institution_down" | "institution_timeout" | "institution_incomplete" | "no_accounts" | "accounts_mismatch" | "user_action_required" | "session_expired" | "superseded" | "internal";
        LinkSession: {
            id: string;
            createdAt: components["schemas"]["Timestamp"];
            /** @description True if it reconnects a connection. */
            reconnect: boolean;
            /** @description The institution that was selected last. */
            institution: components["schemas"]["Institution"] | null;
            /**
             * @description The furthest state.
             * @enum {string}
             */
            reached: "consent" | "institution" | "credentials" | "challenge" | "accounts" | "importing" | "finished";
            outcome: components["schemas"]["LinkSessionOutcome"];
            /** @description The reason; null unless it failed. */
            reason: components["schemas"]["LinkSessionFailure"] | null;
            /** @description The connection; null unless it is connected. */
            connectionId: string | null;
        };
        LinkSessionPage: {
            linkSessions: components["schemas"]["LinkSession"][];
            /** @description Present if there are more. */
            nextCursor?: string;
        };
        LinkSessionStatistics: {
            opened: number;
            /** @description The number that reconnect. They begin at the credentials. */
            reconnects: number;
            /** @description The number that reached each state or a later one. A reconnect counts from `credentials` on, so `institution` can be less than `credentials`. */
            reached: {
                institution: number;
                credentials: number;
                accounts: number;
                importing: number;
                finished: number;
            };
            connected: number;
            /** @description The counts by the institution that was selected last, most selected first; at most 50. */
            institutions: {
                institution: components["schemas"]["Institution"];
                /** @description Including open ones. */
                sessions: number;
                connected: number;
                failed: number;
                left: number;
                /** @description The failed ones by reason, most frequent first. */
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
            /** @description An operation of the public contract or of the one for SimpleFIN, for example `listTransactions`. */
            operation: string;
            status: number;
            outcome: components["schemas"]["RequestOutcome"];
            /** @description The code of the problem; null if it succeeded. */
            code: string | null;
            /** @description The names of the invalid parameters, never their values; `unknown` for a name that is not a query parameter of these contracts. */
            parameters: string[];
            /** @description Null if it is not known any more. */
            apiKey: {
                id: string;
                name: string;
            } | null;
            milliseconds: number;
        };
        RequestPage: {
            requests: components["schemas"]["LoggedRequest"][];
            /** @description Present if there are more. */
            nextCursor?: string;
        };
        /**
         * @description The state. `failing`: no attempt has succeeded since the first failure. `disabled`: it receives no events until it is enabled.
         * @enum {string}
         */
        WebhookEndpointState: "active" | "failing" | "disabled";
        WebhookEndpoint: {
            id: string;
            url: string;
            state: components["schemas"]["WebhookEndpointState"];
            /**
             * Format: date-time
             * @description When the first attempt failed since the last success.
             */
            failingSince: string | null;
            /** Format: date-time */
            disabledAt: string | null;
            /**
             * @description The reason. `gone`: it answered 410. `failing`: no attempt had succeeded for five days.
             * @enum {string|null}
             */
            disabledReason: "gone" | "failing" | null;
            createdAt: components["schemas"]["Timestamp"];
            /** @description The number by state, of the last 30 days. */
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
            /** @description The URL to which events are sent; https for a Production application. */
            url: string;
        };
        CreatedWebhookEndpoint: {
            webhookEndpoint: components["schemas"]["WebhookEndpoint"];
            secret: components["schemas"]["WebhookSecret"];
        };
        /** @description The secret that signs the events, by the Standard Webhooks specification. Returned once. */
        WebhookSecret: string;
        RotatedWebhookSecret: {
            secret: components["schemas"]["WebhookSecret"];
            previousSecretExpiresAt: components["schemas"]["Timestamp"];
        };
        QueuedWebhook: {
            eventId: string;
        };
        /**
         * @description The state. `pending`: waits for its first or next attempt. `failed`: has no more attempts unless it is replayed.
         * @enum {string}
         */
        WebhookDeliveryState: "pending" | "delivered" | "failed";
        /**
         * @description The reason why an attempt had no response:
         *
         *     - `forbidden_address`: the address is in a private network.
         *     - `certificate_untrusted`: the service does not know the authority that signed the certificate.
         *     - `tls_not_spoken`: the answer is not TLS, but for example plain http.
         *     - `tls_failed`: any other failure of TLS.
         *     - `endpoint_disabled`, `application_archived`: no attempt was made.
         *     - `invalid_secret`: the stored secret or URL was changed by something other than the service.
         * @enum {string}
         */
        WebhookError: "timeout" | "name_not_found" | "forbidden_address" | "connection_failed" | "certificate_untrusted" | "certificate_expired" | "certificate_not_yet_valid" | "certificate_wrong_host" | "tls_not_spoken" | "tls_failed" | "endpoint_disabled" | "application_archived" | "invalid_secret";
        WebhookDelivery: {
            eventId: string;
            /** @description A type of the public contract, for example `transactions.updated`. */
            type: string;
            /** @description The connection; null for a test event. */
            connectionId: string | null;
            state: components["schemas"]["WebhookDeliveryState"];
            attempts: number;
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description When the next attempt is due; null unless it is pending.
             */
            nextAttemptAt: string | null;
            /** Format: date-time */
            lastAttemptAt: string | null;
            /** @description The status of the last response; null if there was none. */
            lastStatus: number | null;
            lastError: components["schemas"]["WebhookError"] | null;
        };
        WebhookDeliveryPage: {
            deliveries: components["schemas"]["WebhookDelivery"][];
            /** @description Present if there are more. */
            nextCursor?: string;
        };
        ReplayedWebhooks: {
            count: number;
        };
        SimplefinAccess: {
            id: string;
            /** @description The name of the application that reads. */
            label: string;
            /** @description The consumer's own id for the end user; null for an anonymous one. */
            externalUserId: string | null;
            /** @description True if pending transactions are left out of all answers. */
            postedOnly: boolean;
            /**
             * @description The state. `unclaimed`: its setup token was not used yet.
             * @enum {string}
             */
            state: "unclaimed" | "active";
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description When accounts were last read; null before the first time.
             */
            lastUsedAt: string | null;
        };
        SimplefinAccessPage: {
            accesses: components["schemas"]["SimplefinAccess"][];
            /** @description Present if there are more. */
            nextCursor?: string;
        };
        SandboxUser: {
            username: string;
            /** @description The challenges at sign-in and their answers. */
            challenges: {
                /** @enum {string} */
                kind: "code" | "question" | "choice" | "approval" | "denial" | "image" | "redirect";
                /** @description The answer; null if nothing is typed. */
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
                /** @description The seconds by which it is ahead of real time. */
                offsetSeconds: number;
            };
        };
        ClockAdvance: {
            /** @description The time to advance, at most 10 years. */
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
                /** @description Null for organization tokens, the operator's commands and failed sign-ins. */
                memberId: string | null;
                /** @description The organization token that made the request; else null. */
                tokenId: string | null;
                email: string | null;
            };
            /** @description The id of the affected resource. Connection ids are truncated, because connections are deleted later. */
            subject: string | null;
            /** @description Further details, for example a name, the role before and after, or origins. */
            details: {
                [key: string]: string;
            };
            /** @description The network address of the request. */
            address: string | null;
        };
        AuditPage: {
            events: components["schemas"]["AuditEvent"][];
            /** @description Present if there are more. */
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
            /** @description The errors of the request, with status 400. */
            errors?: {
                path: string;
                message: string;
            }[];
        };
    };
    responses: {
        /** @description The request is invalid. `errors` has the details. */
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
        /** @description There is no session, it has expired, or the credentials are wrong; or the token is invalid, revoked or expired. The body is the same for each of either kind. */
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
        /** @description The role or the scopes do not allow this; for a token, `detail` says why. `wrong_address`: the request did not come from the dashboard’s page at the service's URL, which `detail` names. */
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
                 *       "detail": "The last owner cannot be changed: make another member an owner first.",
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
                 *       "detail": "Too many requests. Ask again in 10 seconds.",
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
                 *       "detail": "Something went wrong on our side.",
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
         * @description Seconds to wait before the next request.
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
            /** @description Success, without a body. */
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
            /** @description Success, without a body. */
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
            /** @description Success, without a body. */
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
            /** @description Success, without a body. */
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
            /** @description Success, without a body. */
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
            /** @description Success, without a body. */
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
            /** @description The company; empty if none is set. */
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
            /** @description Success, without a body. */
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
            /** @description Success, without a body. */
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
            /** @description Success, without a body. */
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
    search: {
        parameters: {
            query: {
                /**
                 * @description One of these: a part of the name of an application or API key; the beginning of an external user id, or of a connection id or a request id (at least 8 characters); the id of an application or API key.
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
            /** @description The resources that match. */
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
                    /** @description The requests per minute of the application's backends; null for the operator's limit. */
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
            /** @description Success, without a body. */
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
                 * @description The period. Buckets are 1 minute for an hour, 15 minutes for a day, 1 hour for a week, 6 hours for a month.
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
            /** @description Success, without a body. */
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
            /** @description Success, without a body. */
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
            /** @description Success, without a body. */
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
                 * @description Only the request with this id, the `Request-Id` of its response.
                 * @example 5f0c9a52e7d14b6f8a31c0d2e4b69f75
                 */
                requestId?: string;
                /**
                 * @description Only this outcome.
                 * @example refused
                 */
                outcome?: components["schemas"]["RequestOutcome"];
                /**
                 * @description Only this operation, of the public contract or of the one for SimpleFIN.
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
            /** @description Success, without a body. */
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
            /** @description Success, without a body. */
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
            /** @description Success, without a body. */
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
                 * @description Only accesses of the end user with exactly this external id.
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
            /** @description A page of accesses. */
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
            /** @description Success, without a body. */
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
                 * @description The file's name, used in error messages; a name ending in `.gz` means gzip.
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
            /** @description The numbers of what was loaded. */
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
            /** @description The audit log; the first line has the column names. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    /** @description The name of the file, with the organization's name and today's date. */
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
