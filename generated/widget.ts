// Generated from widget/openapi.yaml by `npm run generate`. Do not edit.

export interface paths {
    "/connect/api/link-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a link session
         * @description Creates a link session for the web page that contains the frame. The application must allow the page's origin. With a `connectionId`, the link session reconnects that connection. It then starts in the bank's `credentials` state, or in `consent` if the consent text has changed since the user accepted it.
         */
        post: operations["createLinkSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connect/api/applications/{applicationId}/embedding": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application's id, as passed to the loader.
                 * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
                 */
                applicationId: string;
            };
            cookie?: never;
        };
        /**
         * Check whether the requesting page may open the widget
         * @description The loader calls this to find out why the widget's page did not load. Pages on any origin can call this operation. The response covers only the request's `Origin`.
         */
        get: operations["checkEmbedding"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connect/api/link-sessions/{linkSessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The link session's id: `lks_` followed by 22 characters. An unknown id and a wrong secret get the same response.
                 * @example lks_0hXGm6Yb7sVqTzR2uKd4We
                 */
                linkSessionId: components["parameters"]["LinkSessionId"];
            };
            cookie?: never;
        };
        /**
         * Get the current view
         * @description Returns the current view. A finished link session returns the same result until the result is acknowledged.
         */
        get: operations["getLinkSession"];
        put?: never;
        post?: never;
        /**
         * Cancel a link session
         * @description Cancels the link session when the user closes the widget. The service deletes the session's state but keeps the reason for a failure. A link session that has already ended or finished does not change, and the response is the same.
         */
        delete: operations["cancelLinkSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connect/api/link-sessions/{linkSessionId}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The link session's id: `lks_` followed by 22 characters. An unknown id and a wrong secret get the same response.
                 * @example lks_0hXGm6Yb7sVqTzR2uKd4We
                 */
                linkSessionId: components["parameters"]["LinkSessionId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit a step
         * @description Runs one step and returns the resulting view. A step that calls the bank takes as long as the bank. If the bank rejects the step, the response is a view with an error or a failed view, never an error status. The step `credentials` returns 429 without calling the bank after too many sign-ins from the client's address or with the same login. After too many sign-ins in the whole application, only addresses with an unsuccessful sign-in get 429. A 429 does not change the link session, and `Retry-After` gives the number of seconds to wait.
         */
        post: operations["submitLinkSessionStep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connect/api/link-sessions/{linkSessionId}/institutions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The link session's id: `lks_` followed by 22 characters. An unknown id and a wrong secret get the same response.
                 * @example lks_0hXGm6Yb7sVqTzR2uKd4We
                 */
                linkSessionId: components["parameters"]["LinkSessionId"];
            };
            cookie?: never;
        };
        /**
         * Search institutions
         * @description Returns the institutions that the application can connect, best match first. Matches are ranked in this order: a code; the beginning of a name, an alias or one of its words; the country's code or its name in a language of the page; part of a name; a match with typos in the first five words. Case and accents are ignored. Without a search, popular institutions come first, then all others by name.
         */
        get: operations["searchInstitutions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connect/api/link-sessions/{linkSessionId}/acknowledgement": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The link session's id: `lks_` followed by 22 characters. An unknown id and a wrong secret get the same response.
                 * @example lks_0hXGm6Yb7sVqTzR2uKd4We
                 */
                linkSessionId: components["parameters"]["LinkSessionId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge the result
         * @description Confirms that the host received the result. The service then deletes the result. Repeating the request returns the same response. Returns 409 until the link session has finished.
         */
        post: operations["acknowledgeLinkSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connect/api/returns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Return from the bank's own page
         * @description Accepts the return of a user whom the bank redirected to `/connect/return`. The query is sealed to the link session's secret, so only the session's page can use it, and only with the `code` from the response. Each redirect is accepted once. After that, or if the link session has ended, the response is 410.
         */
        post: operations["returnFromInstitution"];
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
        NewLinkSession: {
            /** @description The application. */
            applicationId: string;
            /** @description The origin of the web page that contains the frame, as reported by the browser. In a native application, `native`. */
            origin: string;
            /** @description Your own id for the end user. If omitted, the end user is anonymous. */
            externalUserId?: string;
            /** @description Your backend's signature, `t=SECONDS,v1=HEX`: the Unix time and the HMAC-SHA256 of `SECONDS.connectionId.externalUserId` with the application's identity secret. Use an empty string for an absent id. If there are several `v1`, one must match. A signature is valid for ten minutes. If the application requires signatures, an `externalUserId` or `connectionId` without a signature is rejected with 403. A wrong signature is always rejected. */
            userSignature?: string;
            /** @description The connection to reconnect. If the application requires signatures, `externalUserId` must match the connection's external user id, or be absent if the connection has none. */
            connectionId?: string;
            /** @description Set to true to let the end user change which accounts the connection shares. Requires a `connectionId`. The link session then starts in the state `consent`. */
            accountSelection?: boolean;
            returnAddress?: components["schemas"]["ReturnAddress"];
            /** @description The page's language as a BCP 47 tag. */
            language?: string;
        };
        /**
         * @description A language of the page, the loading screen and the consent.
         * @enum {string}
         */
        Language: "en" | "ar" | "de" | "es" | "fr" | "it" | "nl" | "pl" | "pt";
        /** @description The URL of a native application to which users return from a bank's own page, with the query parameter `code`. The URL must be registered for the application. Absent on web pages. */
        ReturnAddress: string;
        CreatedLinkSession: {
            session: {
                id: string;
                /** @description 32 random bytes as base64url. Returned only here. */
                secret: string;
                /** Format: date-time */
                expiresAt: string;
            };
            view: components["schemas"]["LinkSessionView"];
        };
        /** @description The user's step, by `kind`. */
        LinkStep: components["schemas"]["ConsentStep"] | components["schemas"]["SelectInstitutionStep"] | components["schemas"]["CredentialsStep"] | components["schemas"]["AnswerStep"] | components["schemas"]["ChallengeActionStep"] | components["schemas"]["ReturnedStep"] | components["schemas"]["SelectAccountsStep"] | components["schemas"]["ReconnectStep"] | components["schemas"]["BackStep"] | components["schemas"]["RetryStep"];
        /** @enum {string} */
        LinkStepKind: "consent" | "selectInstitution" | "credentials" | "answer" | "challengeAction" | "returned" | "selectAccounts" | "reconnect" | "back" | "retry";
        ConsentStep: {
            /** @constant */
            kind: "consent";
            /** @description The `hash` of the text that the user saw. If the text has changed since then, the step is rejected with 409 and the view has the new text. */
            hash?: string;
        };
        SelectInstitutionStep: {
            /** @constant */
            kind: "selectInstitution";
            institutionId: string;
        };
        CredentialsStep: {
            /** @constant */
            kind: "credentials";
            /** @description The user's input, by the `name` of each field. */
            values: {
                [key: string]: string;
            };
        };
        AnswerStep: {
            /** @constant */
            kind: "answer";
            /** @description The user's input or the id of the selected option. Empty to poll for the user's decision on an approval. */
            answer: string;
        };
        ChallengeActionStep: {
            /** @constant */
            kind: "challengeAction";
            /**
             * @description An action instead of an answer, if the challenge allows the action. Each sign-in allows five actions.
             * @enum {string}
             */
            action: "resend" | "otherMethod";
        };
        ReturnedStep: {
            /** @constant */
            kind: "returned";
            /** @description The code that `returnFromInstitution` returned. The code proves that the same person signed in on the bank's page. Case, spaces and hyphens are ignored. A wrong code counts as a wrong answer. */
            code: string;
        };
        SelectAccountsStep: {
            /** @constant */
            kind: "selectAccounts";
            /** @description The ids of accounts in the view. */
            accountIds: string[];
        };
        /** @description Reconnects the connection that already has the accounts instead of sharing the accounts again. Allowed only if `canReconnect` of `alreadyConnected` is true. */
        ReconnectStep: {
            /** @constant */
            kind: "reconnect";
        };
        BackStep: {
            /** @constant */
            kind: "back";
        };
        RetryStep: {
            /** @constant */
            kind: "retry";
            /** @description One of the view's `retryTargets`. Defaults to the first. */
            target?: components["schemas"]["RetryTarget"];
        };
        /** @description The content of the page, by `state`. */
        LinkSessionView: components["schemas"]["ConsentView"] | components["schemas"]["InstitutionView"] | components["schemas"]["CredentialsView"] | components["schemas"]["ChallengeView"] | components["schemas"]["AccountsView"] | components["schemas"]["ImportingView"] | components["schemas"]["FinishedView"] | components["schemas"]["FailedView"];
        /** @description The properties that every view has. */
        BaseView: {
            /** @description Incremented whenever the view changes. Each step must include the current version. */
            version: number;
            /** @description The kinds of steps that are currently allowed. */
            steps: components["schemas"]["LinkStepKind"][];
            application: {
                name: string;
                /** @enum {string} */
                environment: "sandbox" | "production";
                logo?: components["schemas"]["LogoPath"];
                /** @description The color of buttons as `#rrggbb`, unless the host's theme sets one. */
                color?: string;
            };
            /** @description The name of the company that runs the service, if set. */
            operator?: string;
            /** @description The selected institution, if any. */
            institution?: components["schemas"]["InstitutionProfile"];
            /** @description Whether the link session reconnects an existing connection. */
            reconnect: boolean;
            /**
             * @description Present while another request is running a step, for example after a lost response. This view precedes that step, and the page polls until the step has finished.
             * @constant
             */
            busy?: true;
        };
        ConsentView: {
            /** @constant */
            state: "consent";
            consent: components["schemas"]["ConsentText"];
        } & components["schemas"]["BaseView"];
        /** @description The text that the user agrees to, in the link session's language if available, otherwise in English. */
        ConsentText: {
            language: components["schemas"]["Language"];
            title: string;
            /** @description Explains the choice of accounts, read-only access, how sign-in details are handled, and how to end access. */
            points: {
                title: string;
                text: string;
            }[];
            /** @description The sentence above the button to agree. */
            agreement: string;
            /** @description The policies of the application's company and the company that runs the service, if set. */
            links: {
                label: string;
                /** Format: uri */
                url: string;
            }[];
            /** @description The SHA-256 hash of the other properties, in base64url. */
            hash: string;
        };
        InstitutionView: {
            /** @constant */
            state: "institution";
            /**
             * @description Present if no institution is configured for this application.
             * @constant
             */
            noInstitutions?: true;
        } & components["schemas"]["BaseView"];
        CredentialsView: {
            /** @constant */
            state: "credentials";
            institution: components["schemas"]["InstitutionProfile"];
            /** @description Empty if the user signs in only on the bank's own page. */
            fields: components["schemas"]["CredentialField"][];
            /**
             * Format: uri
             * @description The bank's help page for users who cannot sign in, if any. Absent in native applications, which do not open other pages.
             */
            helpUrl?: string;
            error?: components["schemas"]["LinkStepError"];
        } & WithRequired<components["schemas"]["BaseView"], "institution">;
        ChallengeView: {
            /** @constant */
            state: "challenge";
            /**
             * @description The bank's challenge, either during sign-in or after the accounts are chosen, before the bank returns transactions.
             * @enum {string}
             */
            for: "signIn" | "reading";
            institution: components["schemas"]["InstitutionProfile"];
            challenge: components["schemas"]["Challenge"];
            error?: components["schemas"]["LinkStepError"];
        } & WithRequired<components["schemas"]["BaseView"], "institution">;
        AccountsView: {
            /** @constant */
            state: "accounts";
            institution: components["schemas"]["InstitutionProfile"];
            /** @description The accounts that the user can share. Their ids are valid only in this link session. */
            accounts: components["schemas"]["LinkAccount"][];
            /** @description With `accountSelection`, the accounts that the connection currently shares. */
            shared?: {
                accountIds: string[];
                /** @description How long an account stays readable after the user deselects it. */
                retentionDays: number;
            };
            /**
             * Format: date-time
             * @description Until when the bank provides the whole history. Absent if there is no such limit.
             */
            historyUntil?: string;
            /** @description Present after `selectAccounts` if the same end user has already connected some of the selected accounts. Nothing has been shared yet. A second `selectAccounts` shares the accounts again. */
            alreadyConnected?: {
                /** @description The ids of the accounts that are already connected. */
                accountIds: string[];
                /** @description The ids of the selected accounts. */
                selectedIds: string[];
                /** @description Whether this login has all accounts of that connection, so that `reconnect` can renew the connection. */
                canReconnect: boolean;
            };
        } & WithRequired<components["schemas"]["BaseView"], "institution">;
        ImportingView: {
            /** @constant */
            state: "importing";
            institution: components["schemas"]["InstitutionProfile"];
            /** @description The number of transactions read so far. Absent before the bank's first response. */
            progress?: {
                done: number;
                /** @description The total number, if the bank reports it for every account. */
                total?: number;
            };
            /**
             * @description Present if no worker has picked up the import for ten seconds. The import starts as soon as a worker is available.
             * @constant
             */
            waiting?: true;
        } & WithRequired<components["schemas"]["BaseView"], "institution">;
        FinishedView: {
            /** @constant */
            state: "finished";
            institution: components["schemas"]["InstitutionProfile"];
            result: components["schemas"]["LinkResult"];
        } & WithRequired<components["schemas"]["BaseView"], "institution">;
        FailedView: {
            /** @constant */
            state: "failed";
            /**
             * @description - `locked`: the bank has locked this login.
             *     - `denied`: the user declined on the bank's website or in its app, or did not approve in time.
             *     - `wrong_credentials`, `wrong_answer`: the bank rejected the credentials or the answer. A single wrong
             *       answer may end a sign-in. After the fifth rejection in a link session, `retryTargets` is empty.
             *     - `institution_down`, `institution_timeout`: the bank could not be reached or did not respond in time.
             *     - `institution_incomplete`: the bank's response was incomplete or unreadable.
             *     - `no_accounts`: the login has no account to share.
             *     - `accounts_mismatch`: the login used to reconnect has none of the connection's accounts.
             *     - `user_action_required`: the user must first take an action on the bank's own site.
             *     - `session_expired`, `cancelled`, `superseded`: the link session ended early.
             *     - `internal`: the service failed.
             * @enum {string}
             */
            reason: "locked" | "denied" | "wrong_credentials" | "wrong_answer" | "institution_down" | "institution_timeout" | "institution_incomplete" | "no_accounts" | "accounts_mismatch" | "user_action_required" | "session_expired" | "cancelled" | "superseded" | "internal";
            /** @description The states to which the step `retry` can lead, the most helpful first. If empty, a new link session is required. */
            retryTargets: components["schemas"]["RetryTarget"][];
            /**
             * Format: uri
             * @description The selected bank's help page, as in the view `credentials`.
             */
            helpUrl?: string;
        } & components["schemas"]["BaseView"];
        /**
         * @description The state to which `retry` leads. `accounts` reads the accounts again with the existing sign-in, because the code or token may be single-use. A reconnect then continues with the import.
         * @enum {string}
         */
        RetryTarget: "accounts" | "credentials" | "institution";
        /** @description The reason why the last step was rejected. */
        LinkStepError: {
            /** @enum {string} */
            reason: "wrong_credentials" | "wrong_answer";
            /** @description The number of remaining attempts, if the bank reports it. */
            attemptsLeft?: number;
        };
        CredentialField: {
            name: string;
            /** @description The bank's text. Shown if there is no `labelKey`. */
            label: string;
            labelKey?: components["schemas"]["LabelKey"];
            /** @description Whether the input is masked. */
            secret: boolean;
            /**
             * @description Present if the field is optional.
             * @constant
             */
            optional?: true;
            /** @description Text from the bank, shown below the field. */
            hint?: string;
            /**
             * @description The keyboard shown on a phone. Defaults to `text`.
             * @enum {string}
             */
            inputMode?: "digits" | "text";
        };
        /**
         * @description The key of a text that the page has in every language. Shown instead of the bank's text.
         * @enum {string}
         */
        LabelKey: "username" | "email" | "customer_number" | "password" | "pin" | "code_sms" | "code_call" | "code_email" | "code_app" | "code_device" | "choose_method" | "choose_tan_method" | "choose_tan_medium" | "method_sms" | "method_call" | "method_email" | "method_app" | "approve_app" | "picture" | "choose_account_use" | "use_personal" | "use_business" | "open_bank_page";
        /** @description The bank's challenge during sign-in, by `kind`. */
        Challenge: components["schemas"]["TextChallenge"] | components["schemas"]["ChoiceChallenge"] | components["schemas"]["ApprovalChallenge"] | components["schemas"]["ImageChallenge"] | components["schemas"]["RedirectChallenge"];
        /** @description The properties that every challenge has. */
        BaseChallenge: {
            /** @description The bank's text. Shown if there is no `labelKey`. */
            label: string;
            labelKey?: components["schemas"]["LabelKey"];
            /** @description Part of the page's text, such as the number to which a code was sent. */
            labelValue?: string;
            /** @description Present if the bank can resend the code or the request. */
            resend?: {
                /** @description The number of seconds until the page offers to resend. */
                afterSeconds: number;
            };
            /**
             * @description Present if the bank offers another way to confirm the sign-in.
             * @constant
             */
            otherMethod?: true;
        };
        /** @description The properties of a challenge with a typed answer. */
        TypedChallenge: {
            /**
             * @description The keyboard shown on a phone. Defaults to `text`. With `digits`, spaces are removed from the answer.
             * @enum {string}
             */
            inputMode?: "digits" | "text";
            /** @description The number of characters in the answer. */
            length?: {
                min: number;
                max: number;
            };
            /** @description More text from the bank, shown below the label. */
            hint?: string;
        } & components["schemas"]["BaseChallenge"];
        TextChallenge: {
            /** @enum {string} */
            kind: "code" | "question";
        } & components["schemas"]["TypedChallenge"];
        ChoiceChallenge: {
            /** @constant */
            kind: "choice";
            options: {
                id: string;
                /** @description The bank's text. Shown if there is no `labelKey`. */
                label: string;
                labelKey?: components["schemas"]["LabelKey"];
                labelValue?: string;
            }[];
        } & components["schemas"]["BaseChallenge"];
        ApprovalChallenge: {
            /** @constant */
            kind: "approval";
            /** @description The number of seconds until the page submits the next empty answer. */
            pollSeconds: number;
        } & components["schemas"]["BaseChallenge"];
        ImageChallenge: {
            /** @constant */
            kind: "image";
            /** @description A `data:` URL of a PNG or SVG. */
            image: string;
        } & components["schemas"]["TypedChallenge"];
        RedirectChallenge: {
            /** @constant */
            kind: "redirect";
            /** @description The URL of the bank's own page, which opens in a new window. The step `returned` answers the challenge. Always https, except in the Sandbox of a service with an http URL. */
            url: string;
        } & components["schemas"]["BaseChallenge"];
        Institution: {
            id: string;
            name: string;
        };
        /** @description An institution, with the details that the page shows. */
        InstitutionProfile: {
            id: string;
            name: string;
            logo?: components["schemas"]["LogoPath"];
            /** @description The brand color, shown behind the initials if there is no logo. */
            color?: string;
            /** @description An ISO 3166-1 alpha-2 code. */
            country?: string;
            /**
             * @description Present if the institution serves only businesses.
             * @constant
             */
            businessOnly?: true;
            /**
             * @description Present if connections are known to fail at times.
             * @constant
             */
            beta?: true;
        };
        /** @description The path of a PNG, JPEG or WebP file on this service. The path contains the file's hash. */
        LogoPath: string;
        LinkAccount: {
            id: string;
            name: string;
            /** @enum {string} */
            type: "depository" | "credit" | "loan" | "investment" | "other";
            /**
             * @description A more specific account type, if the bank provides it.
             * @enum {string}
             */
            subtype?: "checking" | "savings" | "credit_card" | "line_of_credit" | "mortgage" | "brokerage" | "pension";
            lastFour: string;
            currency: string;
        };
        /** @description The argument of `onSuccess`. */
        LinkResult: {
            connectionId: string;
            linkSessionId: string;
            accounts: components["schemas"]["LinkAccount"][];
            /** @description Present only after a reconnect. The connection's accounts that the bank listed at the last refresh and no longer lists. Their data stays readable but is no longer updated. */
            missingAccountIds?: string[];
            institution: components["schemas"]["Institution"];
            /** @description The connection that already has the same accounts, if the user shared those accounts again. */
            duplicateOf?: string;
            /**
             * Format: date-time
             * @description When the user's consent at the bank expires. Absent if the bank does not provide it.
             */
            consentExpiresAt?: string;
            /** @description Present only if the link session has an `externalUserId`. */
            user?: {
                id: string;
                externalUserId: string;
            };
            /** @description Present for a user's first connection and every anonymous connection. Never present after a reconnect. */
            scopedToken?: string;
        };
        /** @description A problem document (RFC 9457), as in the public API. */
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "invalid_request" | "unauthorized" | "forbidden" | "origin_not_allowed" | "wrong_address" | "not_found" | "method_not_allowed" | "conflict" | "session_expired" | "rate_limited" | "internal_error" | "unavailable";
            requestId: string;
            /** @description The invalid values. Present only with status 400. */
            errors?: {
                path: string;
                message: string;
            }[];
        };
    };
    responses: {
        /** @description The view. */
        LinkSessionView: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    view: components["schemas"]["LinkSessionView"];
                };
            };
        };
        /** @description Success. The response has no body. */
        NoContent: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The request is malformed. `errors` lists every invalid value. */
        InvalidRequest: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Invalid request",
                 *       "status": 400,
                 *       "detail": "The request is not valid. See errors.",
                 *       "code": "invalid_request",
                 *       "requestId": "5f0c9a52e7d14b6f",
                 *       "errors": [
                 *         {
                 *           "path": "/body/version",
                 *           "message": "must be integer"
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The secret is wrong or the link session does not exist. The body is the same in both cases. */
        Unauthorized: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Unauthorized",
                 *       "status": 401,
                 *       "detail": "The link session does not exist, or the secret is wrong.",
                 *       "code": "unauthorized",
                 *       "requestId": "5f0c9a52e7d14b6f"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request did not come from the service's own page. */
        ForeignOrigin: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Forbidden",
                 *       "status": 403,
                 *       "detail": "This page must be opened at http://localhost:3000.",
                 *       "code": "wrong_address",
                 *       "requestId": "5f0c9a52e7d14b6f"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The version is outdated, another step is running, or the state does not allow this step. */
        Conflict: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Conflict",
                 *       "status": 409,
                 *       "detail": "The session has changed or does not allow this step.",
                 *       "code": "conflict",
                 *       "requestId": "5f0c9a52e7d14b6f"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The link session has ended and its state was deleted. Until the deletion, the response is a failed view. */
        LinkSessionExpired: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Session expired",
                 *       "status": 410,
                 *       "detail": "The session has expired.",
                 *       "code": "session_expired",
                 *       "requestId": "5f0c9a52e7d14b6f"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests. Retry after the number of seconds in `Retry-After`. */
        RateLimited: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
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
                 *       "type": "about:blank",
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
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
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
         * @description The link session's id: `lks_` followed by 22 characters. An unknown id and a wrong secret get the same response.
         * @example lks_0hXGm6Yb7sVqTzR2uKd4We
         */
        LinkSessionId: string;
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
    createLinkSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "applicationId": "app_5dQ0Xk2mV8rT1yLw9ZcB4n",
                 *       "origin": "https://shop.example",
                 *       "externalUserId": "user-1207",
                 *       "language": "en"
                 *     }
                 */
                "application/json": components["schemas"]["NewLinkSession"];
            };
        };
        responses: {
            /** @description The link session and its first view. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "session": {
                     *         "id": "lks_0hXGm6Yb7sVqTzR2uKd4We",
                     *         "secret": "q3Jk9f0aVtZ5cX1mB7nL2pR8sD4gH6jK0wE3yU5iO9A",
                     *         "expiresAt": "2024-05-01T10:30:00.000Z"
                     *       },
                     *       "view": {
                     *         "version": 1,
                     *         "steps": [
                     *           "consent"
                     *         ],
                     *         "state": "consent",
                     *         "application": {
                     *           "name": "Shop",
                     *           "environment": "sandbox"
                     *         },
                     *         "reconnect": false,
                     *         "operator": "Bank Data Ltd",
                     *         "consent": {
                     *           "language": "en",
                     *           "title": "Let Shop read your bank data",
                     *           "points": [
                     *             {
                     *               "title": "You choose the accounts",
                     *               "text": "Shop Ltd gets their names, the last four digits of their numbers, their balances and their transactions."
                     *             },
                     *             {
                     *               "title": "Read-only access",
                     *               "text": "Shop can’t move money or change anything at your bank."
                     *             },
                     *             {
                     *               "title": "Your sign-in details are encrypted",
                     *               "text": "Bank Data Ltd sends them to your bank and keeps them only to refresh your data."
                     *             },
                     *             {
                     *               "title": "You can stop at any time",
                     *               "text": "Access lasts until you ask Shop Ltd to disconnect. Stored data stays readable for 30 days and is then deleted."
                     *             }
                     *           ],
                     *           "agreement": "By selecting “Agree and continue”, you agree to share this data.",
                     *           "links": [
                     *             {
                     *               "label": "Shop Ltd Privacy Policy",
                     *               "url": "https://shop.example/privacy"
                     *             }
                     *           ],
                     *           "hash": "Zr5Jk9f0aVtZ5cX1mB7nL2pR8sD4gH6jK0wE3yU5iO9"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedLinkSession"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            /**
             * @description - `origin_not_allowed`: the application does not allow this origin, the return URL is not registered, or a
             *       web page sent a return URL.
             *     - `wrong_address`: the page was not opened at the service's URL, which `detail` names.
             *     - `forbidden`: the application has no such connection, the connection cannot be reconnected, or the user's
             *       signature is missing or wrong.
             */
            403: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "title": "Forbidden",
                     *       "status": 403,
                     *       "detail": "The application does not allow the widget on this origin.",
                     *       "code": "origin_not_allowed",
                     *       "requestId": "5f0c9a52e7d14b6f"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The application does not exist. */
            404: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
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
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkEmbedding: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application's id, as passed to the loader.
                 * @example app_5dQ0Xk2mV8rT1yLw9ZcB4n
                 */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The application exists. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    /** @description Always `*`. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "allowed": false,
                     *       "environment": "sandbox",
                     *       "advice": "The application does not allow https://shop.example. Add this origin in the dashboard."
                     *     }
                     */
                    "application/json": {
                        /** @description Whether the application allows the requesting page's origin. */
                        allowed: boolean;
                        /** @enum {string} */
                        environment: "sandbox" | "production";
                        /** @description Advice for developers if the origin is not allowed. The loader shows it only in the Sandbox. */
                        advice?: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            /** @description The application does not exist. */
            404: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
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
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLinkSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The link session's id: `lks_` followed by 22 characters. An unknown id and a wrong secret get the same response.
                 * @example lks_0hXGm6Yb7sVqTzR2uKd4We
                 */
                linkSessionId: components["parameters"]["LinkSessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["LinkSessionView"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            410: components["responses"]["LinkSessionExpired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelLinkSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The link session's id: `lks_` followed by 22 characters. An unknown id and a wrong secret get the same response.
                 * @example lks_0hXGm6Yb7sVqTzR2uKd4We
                 */
                linkSessionId: components["parameters"]["LinkSessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    submitLinkSessionStep: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The link session's id: `lks_` followed by 22 characters. An unknown id and a wrong secret get the same response.
                 * @example lks_0hXGm6Yb7sVqTzR2uKd4We
                 */
                linkSessionId: components["parameters"]["LinkSessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The version of the view on which the user chose the step. */
                    version: number;
                    step: components["schemas"]["LinkStep"];
                };
            };
        };
        responses: {
            200: components["responses"]["LinkSessionView"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["LinkSessionExpired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchInstitutions: {
        parameters: {
            query?: {
                /**
                 * @description The user's search text.
                 * @example sandbx
                 */
                search?: string;
                /**
                 * @description The maximum number of institutions.
                 * @example 20
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The link session's id: `lks_` followed by 22 characters. An unknown id and a wrong secret get the same response.
                 * @example lks_0hXGm6Yb7sVqTzR2uKd4We
                 */
                linkSessionId: components["parameters"]["LinkSessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The matching institutions. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "institutions": [
                     *         {
                     *           "id": "sandbox-bank",
                     *           "name": "Sandbox Bank",
                     *           "logo": "/logos/5Tk1o0zF0m3vS2nJx8qLr7cW4yBdHgE6uPaRiVtNwXk",
                     *           "color": "#0b6b6f",
                     *           "country": "DE"
                     *         },
                     *         {
                     *           "id": "sandbox-credit-union",
                     *           "name": "Sandbox Credit Union",
                     *           "country": "US"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        institutions: components["schemas"]["InstitutionProfile"][];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            410: components["responses"]["LinkSessionExpired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    acknowledgeLinkSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The link session's id: `lks_` followed by 22 characters. An unknown id and a wrong secret get the same response.
                 * @example lks_0hXGm6Yb7sVqTzR2uKd4We
                 */
                linkSessionId: components["parameters"]["LinkSessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["LinkSessionExpired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    returnFromInstitution: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "state": "lks_0hXGm6Yb7sVqTzR2uKd4We.q3Jk9f0aVtZ5cX1mB7nL2pR8sD4gH6jK0wE3yU5iO9AbcdefghijklmnopQRSTUV",
                 *       "query": "code=8f2k1&state=lks_0hXGm6Yb7sVqTzR2uKd4We.q3Jk9f0aVtZ5cX1mB7nL2pR8sD4gH6jK0wE3yU5iO9AbcdefghijklmnopQRSTUV",
                 *       "attempt": "0f8b7a52-9d0e-4d29-8f1c-3c1f0d6a2b45"
                 *     }
                 */
                "application/json": {
                    /** @description The `state` parameter of the query. */
                    state: string;
                    /** @description The query string of the page's URL, without the question mark. */
                    query: string;
                    /** @description A random UUID. To retry a request after a lost response, the page sends the same UUID. */
                    attempt: string;
                };
            };
        };
        responses: {
            /** @description The content of the page, and the code that the page passes to the window that opened it. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "7Q2M-K9XD",
                     *       "application": {
                     *         "name": "Shop"
                     *       },
                     *       "institution": {
                     *         "name": "Sandbox Bank"
                     *       },
                     *       "returnAddress": "shop://bank-return"
                     *     }
                     */
                    "application/json": {
                        /** @description The code to submit in the step `returned`. */
                        code: string;
                        application: {
                            name: string;
                        };
                        institution: {
                            name: string;
                        };
                        returnAddress?: components["schemas"]["ReturnAddress"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["ForeignOrigin"];
            410: components["responses"]["LinkSessionExpired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
type WithRequired<T, K extends keyof T> = T & {
    [P in K]-?: T[P];
};
