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
         * Start a session
         * @description Starts a session for an application, on behalf of the web page that asked for it. Its origin must be one that the application allows. A session that starts with a `connectionId` reconnects that connection: it begins at `credentials`, with the bank chosen.
         */
        post: operations["createLinkSession"];
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
                 * @description The session's id, `lks_` and 22 characters. An unknown one is refused like a wrong secret.
                 * @example lks_0hXGm6Yb7sVqTzR2uKd4We
                 */
                linkSessionId: components["parameters"]["LinkSessionId"];
            };
            cookie?: never;
        };
        /**
         * Get the present view
         * @description The view as it stands. Asking changes nothing; a finished session answers the same result again until it is acknowledged.
         */
        get: operations["getLinkSession"];
        put?: never;
        post?: never;
        /**
         * Abandon a session
         * @description The user closed the widget: what the session remembers is forgotten. A session that has ended or finished stays as it is, and the answer is the same.
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
                 * @description The session's id, `lks_` and 22 characters. An unknown one is refused like a wrong secret.
                 * @example lks_0hXGm6Yb7sVqTzR2uKd4We
                 */
                linkSessionId: components["parameters"]["LinkSessionId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a step
         * @description Takes one step and answers the view that it led to. A step that asks the bank takes as long as the bank does. That the bank refuses is a view with an error, or a failed one; it is never an error status.
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
                 * @description The session's id, `lks_` and 22 characters. An unknown one is refused like a wrong secret.
                 * @example lks_0hXGm6Yb7sVqTzR2uKd4We
                 */
                linkSessionId: components["parameters"]["LinkSessionId"];
            };
            cookie?: never;
        };
        /**
         * Search the banks
         * @description The banks that this session's application can connect, best match first. The search forgives case, accents, missing letters and transposed ones. Without a search, the banks in alphabetical order.
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
                 * @description The session's id, `lks_` and 22 characters. An unknown one is refused like a wrong secret.
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
         * @description The page has handed the result to its host. The service forgets it; acknowledging again answers the same. Refused with 409 while the session has not finished.
         */
        post: operations["acknowledgeLinkSession"];
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
            /** @description The application, `app_` and 22 characters. */
            applicationId: string;
            /** @description The origin of the web page that hosts the frame, as the browser told the page; `native` behind the native bridge. */
            origin: string;
            /** @description The consumer's own id of this user. Without one, the connection gets an anonymous user. */
            externalUserId?: string;
            /** @description HMAC-SHA256 of `externalUserId`, in hex, made by the consumer's backend with the application's secret for signing users. Where the application requires it, an external user id without it is refused with 403; a wrong one always is. */
            userSignature?: string;
            /** @description The connection to reconnect. */
            connectionId?: string;
            /** @description The language that the page shows, as a BCP 47 tag. */
            language?: string;
        };
        CreatedLinkSession: {
            session: {
                id: string;
                /** @description 32 random bytes as base64url. Answered here and never again. */
                secret: string;
                /** Format: date-time */
                expiresAt: string;
            };
            view: components["schemas"]["LinkSessionView"];
        };
        /** @description What the user chose, by `kind`. */
        LinkStep: components["schemas"]["ConsentStep"] | components["schemas"]["SelectInstitutionStep"] | components["schemas"]["CredentialsStep"] | components["schemas"]["AnswerStep"] | components["schemas"]["SelectAccountsStep"] | components["schemas"]["BackStep"] | components["schemas"]["RetryStep"];
        ConsentStep: {
            /** @constant */
            kind: "consent";
        };
        SelectInstitutionStep: {
            /** @constant */
            kind: "selectInstitution";
            institutionId: string;
        };
        CredentialsStep: {
            /** @constant */
            kind: "credentials";
            /** @description What was typed, by the `name` of each field. */
            values: {
                [key: string]: string;
            };
        };
        AnswerStep: {
            /** @constant */
            kind: "answer";
            /** @description What was typed, the id of the chosen option, or nothing for an approval, which means "has it been given?". */
            answer: string;
        };
        SelectAccountsStep: {
            /** @constant */
            kind: "selectAccounts";
            accountIds: string[];
        };
        BackStep: {
            /** @constant */
            kind: "back";
        };
        RetryStep: {
            /** @constant */
            kind: "retry";
        };
        /** @description What the page shows, by `state`. */
        LinkSessionView: components["schemas"]["ConsentView"] | components["schemas"]["InstitutionView"] | components["schemas"]["CredentialsView"] | components["schemas"]["ChallengeView"] | components["schemas"]["AccountsView"] | components["schemas"]["ImportingView"] | components["schemas"]["FinishedView"] | components["schemas"]["FailedView"];
        /** @description What every view has. */
        BaseView: {
            /** @description Rises with every change of the view; a step must carry it. */
            version: number;
            application: {
                name: string;
                /** @enum {string} */
                environment: "sandbox" | "production";
            };
            /** @description The chosen bank, once there is one. */
            institution?: components["schemas"]["Institution"];
            /** @description Whether the session restores a connection that exists. */
            reconnect: boolean;
            /**
             * @description There while a step is under way in another request, for example one whose answer was lost. The view is the one from before that step; the page asks again.
             * @constant
             */
            busy?: true;
        };
        ConsentView: {
            /** @constant */
            state: "consent";
        } & components["schemas"]["BaseView"];
        InstitutionView: {
            /** @constant */
            state: "institution";
            /**
             * @description There when no bank at all is configured for this application.
             * @constant
             */
            noInstitutions?: true;
        } & components["schemas"]["BaseView"];
        CredentialsView: {
            /** @constant */
            state: "credentials";
            institution: components["schemas"]["Institution"];
            fields: components["schemas"]["CredentialField"][];
            error?: components["schemas"]["LinkStepError"];
        } & WithRequired<components["schemas"]["BaseView"], "institution">;
        ChallengeView: {
            /** @constant */
            state: "challenge";
            institution: components["schemas"]["Institution"];
            challenge: components["schemas"]["Challenge"];
            error?: components["schemas"]["LinkStepError"];
        } & WithRequired<components["schemas"]["BaseView"], "institution">;
        AccountsView: {
            /** @constant */
            state: "accounts";
            institution: components["schemas"]["Institution"];
            /** @description The accounts that the user can share. Their ids hold for this session only. */
            accounts: components["schemas"]["LinkAccount"][];
            error?: components["schemas"]["LinkStepError"];
        } & WithRequired<components["schemas"]["BaseView"], "institution">;
        ImportingView: {
            /** @constant */
            state: "importing";
            institution: components["schemas"]["Institution"];
            /** @description Transactions read so far; absent until the bank has answered. */
            progress?: {
                done: number;
                /** @description How many there will be, where every bank account says so. */
                total?: number;
            };
        } & WithRequired<components["schemas"]["BaseView"], "institution">;
        FinishedView: {
            /** @constant */
            state: "finished";
            institution: components["schemas"]["Institution"];
            result: components["schemas"]["LinkResult"];
        } & WithRequired<components["schemas"]["BaseView"], "institution">;
        FailedView: {
            /** @constant */
            state: "failed";
            /**
             * @description - `locked`: the bank has locked this login.
             *     - `denied`: the user refused in the bank's app.
             *     - `wrong_credentials`, `wrong_answer`: refused too often.
             *     - `institution_down`, `institution_timeout`: the bank could not be asked.
             *     - `no_accounts`: this login has no account to share.
             *     - `accounts_mismatch`: reconnecting, and this login does not have the accounts of the connection.
             *     - `user_action_required`: the bank wants the user to do something on its own site first.
             *     - `session_expired`, `cancelled`, `superseded`: the session ended before it was complete.
             *     - `internal`: a fault of the service.
             * @enum {string}
             */
            reason: "locked" | "denied" | "wrong_credentials" | "wrong_answer" | "institution_down" | "institution_timeout" | "no_accounts" | "accounts_mismatch" | "user_action_required" | "session_expired" | "cancelled" | "superseded" | "internal";
            /**
             * @description Where the step `retry` leads; with `none`, only a new session helps.
             * @enum {string}
             */
            retryTarget: "credentials" | "institution" | "none";
        } & components["schemas"]["BaseView"];
        /** @description Why the last step did not lead on. */
        LinkStepError: {
            /** @enum {string} */
            reason: "wrong_credentials" | "wrong_answer";
            /** @description How many tries are left, where the bank says so. */
            attemptsLeft?: number;
        };
        CredentialField: {
            name: string;
            /** @description In the bank's own words. */
            label: string;
            /** @description Whether it is typed unseen. */
            secret: boolean;
        };
        /** @description What the bank asks before it lets the user in, by `kind`. */
        Challenge: components["schemas"]["TextChallenge"] | components["schemas"]["ChoiceChallenge"] | components["schemas"]["ApprovalChallenge"] | components["schemas"]["ImageChallenge"];
        TextChallenge: {
            /** @enum {string} */
            kind: "code" | "question";
            label: string;
        };
        ChoiceChallenge: {
            /** @constant */
            kind: "choice";
            label: string;
            options: {
                id: string;
                label: string;
            }[];
        };
        ApprovalChallenge: {
            /** @constant */
            kind: "approval";
            label: string;
            /** @description How long the page waits before it sends an empty answer again. */
            pollSeconds: number;
        };
        ImageChallenge: {
            /** @constant */
            kind: "image";
            label: string;
            /** @description A `data:` address of a PNG or SVG. */
            image: string;
        };
        Institution: {
            id: string;
            name: string;
        };
        LinkAccount: {
            id: string;
            name: string;
            /** @enum {string} */
            type: "depository" | "credit" | "loan" | "investment" | "other";
            lastFour: string;
            currency: string;
        };
        /** @description What the consumer's `onSuccess` receives, and nothing else does. */
        LinkResult: {
            connectionId: string;
            accounts: components["schemas"]["LinkAccount"][];
            institution: components["schemas"]["Institution"];
            /** @description Only when an `externalUserId` was given. */
            user?: {
                id: string;
                externalUserId: string;
            };
            /** @description Only at the first connection of a user; anonymous users always have it. */
            scopedToken?: string;
        };
        /** @description A problem document of RFC 9457, as the public interface has it. */
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "invalid_request" | "unauthorized" | "forbidden" | "origin_not_allowed" | "not_found" | "method_not_allowed" | "conflict" | "session_expired" | "rate_limited" | "internal_error" | "unavailable";
            requestId: string;
            /** @description What is wrong with the request, on 400. */
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
        /** @description Done; there is no body. */
        NoContent: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The request is malformed; `errors` says where. */
        InvalidRequest: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Bad Request",
                 *       "status": 400,
                 *       "detail": "The request is malformed.",
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
        /** @description The secret is not this session's, or there is no such session. One same body for every reason. */
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
                 *       "detail": "The session is unknown, or its secret is another.",
                 *       "code": "unauthorized",
                 *       "requestId": "5f0c9a52e7d14b6f"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The version is old, another step is under way, or the state does not allow this. */
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
                 *       "detail": "The session has moved on. Ask for its view.",
                 *       "code": "conflict",
                 *       "requestId": "5f0c9a52e7d14b6f"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The session has ended and nothing of it is left to show. One that is still remembered answers a failed view instead. */
        LinkSessionExpired: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Gone",
                 *       "status": 410,
                 *       "detail": "The session has ended.",
                 *       "code": "session_expired",
                 *       "requestId": "5f0c9a52e7d14b6f"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests; `Retry-After` says how long to wait. */
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
                 *       "title": "Too Many Requests",
                 *       "status": 429,
                 *       "detail": "Too many requests. Wait before asking again.",
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
                 *       "type": "about:blank",
                 *       "title": "Internal Server Error",
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
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Service Unavailable",
                 *       "status": 503,
                 *       "detail": "The service cannot answer now.",
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
         * @description The session's id, `lks_` and 22 characters. An unknown one is refused like a wrong secret.
         * @example lks_0hXGm6Yb7sVqTzR2uKd4We
         */
        LinkSessionId: string;
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
            /** @description The session and its first view. */
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
                     *         "state": "consent",
                     *         "application": {
                     *           "name": "Shop",
                     *           "environment": "sandbox"
                     *         },
                     *         "reconnect": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedLinkSession"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            /** @description The application does not allow this origin (`origin_not_allowed`); or the connection is not one of this application that can be reconnected, or the user is not signed as the application requires (`forbidden`). */
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
            /** @description There is no such application. */
            404: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "title": "Not Found",
                     *       "status": 404,
                     *       "detail": "There is no such application.",
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
                 * @description The session's id, `lks_` and 22 characters. An unknown one is refused like a wrong secret.
                 * @example lks_0hXGm6Yb7sVqTzR2uKd4We
                 */
                linkSessionId: components["parameters"]["LinkSessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["LinkSessionView"];
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
                 * @description The session's id, `lks_` and 22 characters. An unknown one is refused like a wrong secret.
                 * @example lks_0hXGm6Yb7sVqTzR2uKd4We
                 */
                linkSessionId: components["parameters"]["LinkSessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
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
                 * @description The session's id, `lks_` and 22 characters. An unknown one is refused like a wrong secret.
                 * @example lks_0hXGm6Yb7sVqTzR2uKd4We
                 */
                linkSessionId: components["parameters"]["LinkSessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The version of the view that the step was chosen on. */
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
                 * @description What the user typed.
                 * @example sandbx
                 */
                search?: string;
                /**
                 * @description How many banks to answer at most.
                 * @example 20
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The session's id, `lks_` and 22 characters. An unknown one is refused like a wrong secret.
                 * @example lks_0hXGm6Yb7sVqTzR2uKd4We
                 */
                linkSessionId: components["parameters"]["LinkSessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The banks that match. */
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
                     *           "name": "Sandbox Bank"
                     *         },
                     *         {
                     *           "id": "sandbox-credit-union",
                     *           "name": "Sandbox Credit Union"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        institutions: components["schemas"]["Institution"][];
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
                 * @description The session's id, `lks_` and 22 characters. An unknown one is refused like a wrong secret.
                 * @example lks_0hXGm6Yb7sVqTzR2uKd4We
                 */
                linkSessionId: components["parameters"]["LinkSessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
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
