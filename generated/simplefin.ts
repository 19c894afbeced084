// Generated from src/interfaces/http/simplefin/openapi.yaml by `npm run generate`. Do not edit.

export interface paths {
    "/simplefin/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get versions
         * @description Returns the supported versions of the protocol.
         */
        get: operations["getSimplefinInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/simplefin/claim/{claimToken}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description 72 characters. The setup token is this entire URL in base64.
                 * @example ASCsK0pVqtvPIfPQuOq1Yd5N2mTn3a6n9rV4wXyZ0aBcDeFgHiJkLmNoPqRsTuVwXyZ01234
                 */
                claimToken: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim a setup token
         * @description Creates the access URL. A setup token can be claimed once: if several requests claim it, one gets the access URL and the others get 403. The user name and password contain only letters, digits, `-` and `_`, so they need no decoding.
         */
        post: operations["claimSimplefinAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/simplefin/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read accounts and transactions
         * @description Returns the accounts that the access covers and their transactions, newest first. Amounts are strings with at
         *     least two decimals. Money out is negative. A transaction's time is 12:00 UTC on its date. Removed transactions
         *     are omitted.
         *
         *     `errlist` and, as sentences, `errors` report accounts for which the bank did not respond in the last refresh,
         *     connections whose user must sign in again, and requested accounts that the access does not cover.
         */
        get: operations["readSimplefinAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/simplefin/accesses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List access
         * @description Returns all access of your application, newest first. The list does not contain the covered accounts.
         */
        get: operations["listSimplefinAccesses"];
        put?: never;
        /**
         * Create access
         * @description Creates an access for the scoped token's end user and returns its setup token once. List the accounts that the access covers, or set `allAccounts: true`. Only an access to all accounts covers accounts that are connected later.
         */
        post: operations["createSimplefinAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/simplefin/accesses/{accessId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke access
         * @description Deletes an access, claimed or not. From then on, the setup token and the access URL return 403, and the password decrypts nothing in later copies of the database. Revoking the access again returns 404.
         */
        delete: operations["revokeSimplefinAccess"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Unix time in seconds. Some apps send fractions. */
        Seconds: number;
        NewSimplefinAccess: {
            /** @description The name of the app, as shown in the dashboard. */
            label: string;
            /** @description The accounts that the access covers. Required unless `allAccounts` is true. */
            accountIds?: string[];
            /** @description Whether the access covers all of the user's accounts, including accounts connected later. */
            allAccounts?: boolean;
            /** @description Whether pending transactions are never returned, even with `pending=1`. */
            postedOnly?: boolean;
        };
        SimplefinAccess: {
            id: string;
            label: string;
            /** @description Absent for an anonymous end user. */
            externalUserId?: string;
            /** @description Whether pending transactions are omitted from all responses. */
            postedOnly: boolean;
            /**
             * @description The state. `unclaimed`: the setup token has not been used yet.
             * @enum {string}
             */
            state: "unclaimed" | "active";
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When accounts were last read. Absent if never.
             */
            lastUsedAt?: string;
        };
        AccountSet: {
            /** @description The errors as sentences for the user (version 1). */
            errors: string[];
            /** @description The errors (version 2). */
            errlist: {
                /**
                 * @description - `con.auth`: the user must sign in to the bank again.
                 *     - `con.`: the connection has ended.
                 *     - `act.failed`: the bank did not respond for this account in the last refresh.
                 *     - `act.missingdata`: the bank provided no balance for this account, so `balance` is zero.
                 *     - `act.`: the access does not cover the requested account, or the account does not exist.
                 * @enum {string}
                 */
                code: "con." | "con.auth" | "act." | "act.failed" | "act.missingdata";
                msg: string;
                /** @description Absent with `act.`. */
                conn_id?: string;
                /** @description With `act.`, the requested id. */
                account_id?: string;
            }[];
            connections: {
                conn_id: string;
                name: string;
                org_id: string;
                org_name: string;
                sfin_url: string;
            }[];
            accounts: components["schemas"]["Account"][];
        };
        Account: {
            org: {
                id: string;
                /** @description The domain of the institution's help page. Empty if the connector provides none. Some apps fail without this field. */
                domain: string;
                name: string;
                "sfin-url": string;
            };
            id: string;
            conn_id: string;
            /** @description The name, with the last four digits of the number in parentheses. */
            name: string;
            currency: string;
            balance: components["schemas"]["Money"];
            "available-balance": components["schemas"]["Money"];
            /** @description When the bank computed the balance. 0 if the bank has provided none. */
            "balance-date": components["schemas"]["Seconds"];
            transactions: components["schemas"]["Transaction"][];
        };
        Transaction: {
            id: string;
            posted: components["schemas"]["Seconds"];
            transacted_at: components["schemas"]["Seconds"];
            amount: components["schemas"]["Money"];
            description: string;
            /** @description The same as `description`. Some apps need this field. */
            payee: string;
            /** @constant */
            memo: "";
            pending: boolean;
        };
        Money: string;
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "invalid_request" | "invalid_cursor" | "unauthorized" | "forbidden" | "not_found" | "conflict" | "rate_limited" | "internal_error" | "unavailable";
            requestId: string;
            errors?: {
                path: string;
                message: string;
            }[];
        };
    };
    responses: {
        /** @description A value is malformed or unknown. `errors` lists every invalid value. */
        InvalidRequest: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The API key is missing, malformed, revoked or expired. */
        Unauthorized: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The scoped token is missing or malformed, or belongs to another application. */
        Forbidden: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The access does not exist. */
        NotFound: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The end user already shares with 100 apps. */
        Conflict: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests. */
        RateLimited: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The service failed and logged an error. */
        InternalError: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The service is temporarily unavailable. */
        Unavailable: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A parameter is malformed. */
        InvalidRequestText: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description The setup token or the access URL is wrong, revoked, already claimed or expired, or none of the accounts can be read any longer. The text begins with `Forbidden`. */
        ForbiddenText: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description Too many requests, or too many reads with this access today. */
        RateLimitedText: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description The service failed and logged an error. */
        InternalErrorText: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description The service is temporarily unavailable. */
        UnavailableText: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description The request's id in the service's log.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        RequestId: string;
        /**
         * @description Responses must not be cached.
         * @example no-store
         */
        CacheControl: "no-store";
        /**
         * @description The remaining requests and the seconds until the limit resets.
         * @example "default";r=23;t=41
         */
        RateLimit: string;
        /**
         * @description The limit and its window in seconds.
         * @example "default";q=24;w=86400
         */
        RateLimitPolicy: string;
        /**
         * @description The number of seconds to wait before the next request.
         * @example 41
         */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getSimplefinInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The versions. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "versions": [
                     *         "1.0",
                     *         "2.0"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        versions: string[];
                    };
                };
            };
            429: components["responses"]["RateLimitedText"];
            500: components["responses"]["InternalErrorText"];
            503: components["responses"]["UnavailableText"];
        };
    };
    claimSimplefinAccess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description 72 characters. The setup token is this entire URL in base64.
                 * @example ASCsK0pVqtvPIfPQuOq1Yd5N2mTn3a6n9rV4wXyZ0aBcDeFgHiJkLmNoPqRsTuVwXyZ01234
                 */
                claimToken: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The access URL, returned once. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example https://sfa_3nVnx3kVEcA4wxWXfIjhkr:ASCsK0pVqtvP@bank.example.com/simplefin */
                    "text/plain": string;
                };
            };
            403: components["responses"]["ForbiddenText"];
            429: components["responses"]["RateLimitedText"];
            500: components["responses"]["InternalErrorText"];
            503: components["responses"]["UnavailableText"];
        };
    };
    readSimplefinAccounts: {
        parameters: {
            query?: {
                /** @description Only transactions at or after this Unix time in seconds. Defaults to the last 90 days. */
                "start-date"?: components["schemas"]["Seconds"];
                /** @description Only transactions before this Unix time in seconds. */
                "end-date"?: components["schemas"]["Seconds"];
                /** @description Set to `1` to include pending transactions, unless the access is `postedOnly`. */
                pending?: string;
                /** @description Set to `1` to omit transactions. */
                "balances-only"?: string;
                /** @description Only the account with this id. Can be repeated. An id that the access does not cover returns the error `act.`, even if the account exists. */
                account?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The accounts. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errors": [],
                     *       "errlist": [],
                     *       "connections": [
                     *         {
                     *           "conn_id": "con_74tGOzxaRpxZZBf4B0T539",
                     *           "name": "Sandbox Credit Union",
                     *           "org_id": "sandbox-credit-union",
                     *           "org_name": "Sandbox Credit Union",
                     *           "sfin_url": "https://bank.example.com/simplefin"
                     *         }
                     *       ],
                     *       "accounts": [
                     *         {
                     *           "org": {
                     *             "id": "sandbox-credit-union",
                     *             "domain": "example.com",
                     *             "name": "Sandbox Credit Union",
                     *             "sfin-url": "https://bank.example.com/simplefin"
                     *           },
                     *           "id": "acc_3nVnx3kVEcA4wxWXfIjhkr",
                     *           "conn_id": "con_74tGOzxaRpxZZBf4B0T539",
                     *           "name": "Everyday Checking (4821)",
                     *           "currency": "USD",
                     *           "balance": "1520.75",
                     *           "available-balance": "1498.20",
                     *           "balance-date": 1709290980,
                     *           "transactions": [
                     *             {
                     *               "id": "txn_2AEyZCFZ0sUup7e6qARNuh",
                     *               "posted": 1709208000,
                     *               "transacted_at": 1709208000,
                     *               "amount": "-42.10",
                     *               "description": "Grocery Market",
                     *               "payee": "Grocery Market",
                     *               "memo": "",
                     *               "pending": false
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AccountSet"];
                };
            };
            400: components["responses"]["InvalidRequestText"];
            403: components["responses"]["ForbiddenText"];
            429: components["responses"]["RateLimitedText"];
            500: components["responses"]["InternalErrorText"];
            503: components["responses"]["UnavailableText"];
        };
    };
    listSimplefinAccesses: {
        parameters: {
            query?: {
                /** @description Only the end user with this external id. */
                externalUserId?: string;
                /** @description The maximum number of results. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of access. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accesses": [
                     *         {
                     *           "id": "sfa_3nVnx3kVEcA4wxWXfIjhkr",
                     *           "label": "Actual Budget",
                     *           "externalUserId": "user-1207",
                     *           "postedOnly": false,
                     *           "state": "active",
                     *           "createdAt": "2024-02-20T16:45:12.345Z",
                     *           "lastUsedAt": "2024-03-01T11:03:27.902Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        accesses: components["schemas"]["SimplefinAccess"][];
                        /** @description Absent on the last page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSimplefinAccess: {
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
                 *       "label": "Actual Budget",
                 *       "accountIds": [
                 *         "acc_3nVnx3kVEcA4wxWXfIjhkr"
                 *       ],
                 *       "postedOnly": true
                 *     }
                 */
                "application/json": components["schemas"]["NewSimplefinAccess"];
            };
        };
        responses: {
            /** @description The access and its setup token. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access": {
                     *         "id": "sfa_3nVnx3kVEcA4wxWXfIjhkr",
                     *         "label": "Actual Budget",
                     *         "externalUserId": "user-1207",
                     *         "postedOnly": true,
                     *         "state": "unclaimed",
                     *         "createdAt": "2024-02-20T16:45:12.345Z"
                     *       },
                     *       "setupToken": "aHR0cHM6Ly9iYW5rLmV4YW1wbGUuY29tL3NpbXBsZWZpbi9jbGFpbS9BU0M=",
                     *       "expiresAt": "2024-02-20T17:15:12.345Z"
                     *     }
                     */
                    "application/json": {
                        access: components["schemas"]["SimplefinAccess"];
                        /** @description The base64-encoded URL to claim the token. */
                        setupToken: string;
                        /**
                         * Format: date-time
                         * @description When the setup token expires.
                         */
                        expiresAt: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
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
                 * @description The id of an access: `sfa_` followed by 22 characters. A malformed id returns 404.
                 * @example sfa_3nVnx3kVEcA4wxWXfIjhkr
                 */
                accessId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The access is revoked. The response has no body. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
