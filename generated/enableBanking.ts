// Generated from connectors/enable-banking/openapi.yaml by `npm run generate`. Do not edit.

export interface paths {
    "/application": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getApplication"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/aspsps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAspsps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["startAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["authorizeSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/details": {
        parameters: {
            query?: never;
            header?: {
                "Psu-Ip-Address"?: components["parameters"]["Ip"];
                "Psu-User-Agent"?: components["parameters"]["Agent"];
            };
            path: {
                /** @description The uid of the session's account. */
                account_id: components["parameters"]["Account"];
            };
            cookie?: never;
        };
        get: operations["getDetails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/balances": {
        parameters: {
            query?: never;
            header?: {
                "Psu-Ip-Address"?: components["parameters"]["Ip"];
                "Psu-User-Agent"?: components["parameters"]["Agent"];
            };
            path: {
                /** @description The uid of the session's account. */
                account_id: components["parameters"]["Account"];
            };
            cookie?: never;
        };
        get: operations["getBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/transactions": {
        parameters: {
            query?: never;
            header?: {
                "Psu-Ip-Address"?: components["parameters"]["Ip"];
                "Psu-User-Agent"?: components["parameters"]["Agent"];
            };
            path: {
                /** @description The uid of the session's account. */
                account_id: components["parameters"]["Account"];
            };
            cookie?: never;
        };
        get: operations["getTransactions"];
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
        /** @enum {unknown} */
        PsuType: "personal" | "business";
        AspspName: {
            name: string;
            country: string;
        };
        Access: {
            /** Format: date-time */
            valid_until: string;
            balances?: boolean;
            transactions?: boolean;
            accounts?: components["schemas"]["AccountId"][] | null;
        };
        AuthorizationRequest: {
            access: components["schemas"]["Access"];
            aspsp: components["schemas"]["AspspName"];
            state: string;
            /** Format: uri */
            redirect_url: string;
            psu_type?: components["schemas"]["PsuType"];
            auth_method?: string;
            credentials?: {
                [key: string]: string;
            };
            credentials_autosubmit?: boolean;
            language?: string;
            psu_id?: string;
        };
        Application: {
            name: string;
            kid: string;
            /** @enum {unknown} */
            environment: "SANDBOX" | "PRODUCTION";
            redirect_urls: string[];
            active: boolean;
            countries: string[];
            services: ("AIS" | "PIS")[];
        };
        Aspsp: {
            name: string;
            country: string;
            /** Format: uri */
            logo: string;
            psu_types: components["schemas"]["PsuType"][];
            auth_methods: components["schemas"]["AuthMethod"][];
            /** @description seconds */
            maximum_consent_validity: number;
            beta: boolean;
            bic?: string | null;
            required_psu_headers?: string[] | null;
            group?: {
                name?: string;
                logo?: string;
            } | null;
            sandbox?: Record<string, never> | null;
        };
        AuthMethod: {
            name?: string | null;
            title?: string | null;
            psu_type: components["schemas"]["PsuType"];
            /** @enum {unknown} */
            approach: "REDIRECT" | "DECOUPLED" | "EMBEDDED";
            hidden_method: boolean;
            credentials?: {
                name: string;
                title: string;
                required: boolean;
                description?: string | null;
                template?: string | null;
            }[] | null;
        };
        /** @enum {unknown} */
        SessionStatus: "AUTHORIZED" | "CANCELLED" | "CLOSED" | "EXPIRED" | "INVALID" | "PENDING_AUTHORIZATION" | "RETURNED_FROM_BANK" | "REVOKED";
        SessionAccount: {
            /** Format: uuid */
            uid: string;
            identification_hash: string;
            identification_hashes: string[];
        };
        GenericId: {
            identification: string;
            scheme_name: string;
            issuer?: string | null;
        };
        AccountId: {
            iban?: string | null;
            other?: components["schemas"]["GenericId"] | null;
        };
        Amount: {
            /** @example EUR */
            currency: string;
            /** @example 12.34 */
            amount: string;
        };
        Account: {
            /**
             * Format: uuid
             * @description Valid in this session only; null where nothing can be read.
             */
            uid?: string | null;
            account_id?: components["schemas"]["AccountId"] | null;
            all_account_ids?: components["schemas"]["GenericId"][] | null;
            /** @description The holder's name. */
            name?: string | null;
            details?: string | null;
            product?: string | null;
            /** @enum {unknown} */
            usage?: "PRIV" | "ORGA" | null;
            /** @enum {unknown} */
            cash_account_type: "CACC" | "CASH" | "CARD" | "LOAN" | "SVGS" | "OTHR";
            currency: string;
            psu_status?: string | null;
            credit_limit?: components["schemas"]["Amount"] | null;
            identification_hash: string;
            identification_hashes: string[];
        };
        Balance: {
            name: string;
            balance_amount: components["schemas"]["Amount"];
            /** @enum {unknown} */
            balance_type: "CLAV" | "CLBD" | "FWAV" | "INFO" | "ITAV" | "ITBD" | "OPAV" | "OPBD" | "OTHR" | "PRCD" | "VALU" | "XPCD";
            /** Format: date-time */
            last_change_date_time?: string | null;
            /** Format: date */
            reference_date?: string | null;
            last_committed_transaction?: string | null;
        };
        /** @enum {unknown} */
        TransactionStatus: "BOOK" | "CNCL" | "HOLD" | "OTHR" | "PDNG" | "RJCT" | "SCHD";
        Party: {
            name?: string | null;
            postal_address?: {
                address_line?: string[] | null;
            } | null;
        };
        Transaction: {
            entry_reference?: string | null;
            /** @description For the details only; no identity. */
            transaction_id?: string | null;
            transaction_amount: components["schemas"]["Amount"];
            /** @enum {unknown} */
            credit_debit_indicator: "CRDT" | "DBIT";
            status: components["schemas"]["TransactionStatus"];
            /** Format: date */
            booking_date?: string | null;
            /** Format: date */
            value_date?: string | null;
            /** Format: date */
            transaction_date?: string | null;
            creditor?: components["schemas"]["Party"] | null;
            debtor?: components["schemas"]["Party"] | null;
            creditor_account?: components["schemas"]["AccountId"] | null;
            debtor_account?: components["schemas"]["AccountId"] | null;
            remittance_information?: string[] | null;
            reference_number?: string | null;
            note?: string | null;
            merchant_category_code?: string | null;
            bank_transaction_code?: {
                code?: string | null;
                sub_code?: string | null;
                description?: string | null;
            } | null;
            balance_after_transaction?: components["schemas"]["Amount"] | null;
            exchange_rate?: {
                unit_currency?: string | null;
                exchange_rate?: string | null;
                instructed_amount?: components["schemas"]["Amount"] | null;
            } | null;
        };
        Problem: {
            message: string;
            code?: number;
            error?: components["schemas"]["ErrorCode"];
            /** @description Anything: an object, a text, or nothing. */
            detail?: unknown;
        };
        /** @enum {unknown} */
        ErrorCode: "ACCESS_DENIED" | "ACCOUNT_DOES_NOT_EXIST" | "ALREADY_AUTHORIZED" | "ASPSP_ACCOUNT_NOT_ACCESSIBLE" | "ASPSP_ERROR" | "ASPSP_PSU_ACTION_REQUIRED" | "ASPSP_RATE_LIMIT_EXCEEDED" | "ASPSP_TIMEOUT" | "AUTHORIZATION_NOT_PROVIDED" | "CLOSED_SESSION" | "DATE_FROM_IN_FUTURE" | "DATE_TO_WITHOUT_DATE_FROM" | "EXPIRED_AUTHORIZATION_CODE" | "EXPIRED_SESSION" | "INVALID_ACCOUNT_ID" | "INVALID_HOST" | "NO_ACCOUNTS_ADDED" | "PSU_HEADER_INVALID" | "PSU_HEADER_NOT_PROVIDED" | "REDIRECT_URI_NOT_ALLOWED" | "REVOKED_SESSION" | "SESSION_DOES_NOT_EXIST" | "TRANSACTION_DOES_NOT_EXIST" | "UNAUTHORIZED_ACCESS" | "UNAUTHORIZED_IP" | "WRONG_ASPSP_PROVIDED" | "WRONG_AUTHORIZATION_CODE" | "WRONG_CONTINUATION_KEY" | "WRONG_CREDENTIALS_PROVIDED" | "WRONG_DATE_INTERVAL" | "WRONG_REQUEST_PARAMETERS" | "WRONG_SESSION_STATUS" | "WRONG_TRANSACTIONS_PERIOD";
    };
    responses: {
        /** @description A refusal. */
        Problem: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @description The uid of the session's account. */
        Account: string;
        Ip: string;
        Agent: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getApplication: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The application of the JWT's kid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Application"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getAspsps: {
        parameters: {
            query?: {
                country?: string;
                psu_type?: components["schemas"]["PsuType"];
                service?: "AIS" | "PIS";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All banks, in one answer without pages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        aspsps: components["schemas"]["Aspsp"][];
                    };
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    startAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthorizationRequest"];
            };
        };
        responses: {
            /** @description Where to send the user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uri */
                        url: string;
                        /** Format: uuid */
                        authorization_id: string;
                        psu_id_hash: string;
                    };
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    authorizeSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                };
            };
        };
        responses: {
            /** @description The session and its accounts. The only answer that has all accounts with their details. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        session_id: string;
                        accounts: components["schemas"]["Account"][];
                        aspsp: components["schemas"]["AspspName"];
                        psu_type: components["schemas"]["PsuType"];
                        access: components["schemas"]["Access"];
                    };
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the session. It lists accounts by uid and hash only. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: components["schemas"]["SessionStatus"];
                        accounts: string[];
                        accounts_data: components["schemas"]["SessionAccount"][];
                        aspsp: components["schemas"]["AspspName"];
                        psu_type: components["schemas"]["PsuType"];
                        psu_id_hash: string;
                        access: components["schemas"]["Access"];
                        /** Format: date-time */
                        created: string;
                        /** Format: date-time */
                        authorized?: string | null;
                        /** Format: date-time */
                        closed?: string | null;
                    };
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The consent at the bank is closed where possible. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message?: string;
                    };
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getDetails: {
        parameters: {
            query?: never;
            header?: {
                "Psu-Ip-Address"?: components["parameters"]["Ip"];
                "Psu-User-Agent"?: components["parameters"]["Agent"];
            };
            path: {
                /** @description The uid of the session's account. */
                account_id: components["parameters"]["Account"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getBalances: {
        parameters: {
            query?: never;
            header?: {
                "Psu-Ip-Address"?: components["parameters"]["Ip"];
                "Psu-User-Agent"?: components["parameters"]["Agent"];
            };
            path: {
                /** @description The uid of the session's account. */
                account_id: components["parameters"]["Account"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Balances of several kinds, perhaps none. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        balances: components["schemas"]["Balance"][];
                    };
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getTransactions: {
        parameters: {
            query?: {
                date_from?: string;
                date_to?: string;
                continuation_key?: string;
                transaction_status?: components["schemas"]["TransactionStatus"];
                strategy?: "default" | "longest";
            };
            header?: {
                "Psu-Ip-Address"?: components["parameters"]["Ip"];
                "Psu-User-Agent"?: components["parameters"]["Agent"];
            };
            path: {
                /** @description The uid of the session's account. */
                account_id: components["parameters"]["Account"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. A page may be empty and name a next one. All parameters must be repeated with the key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        transactions?: components["schemas"]["Transaction"][];
                        continuation_key?: string | null;
                    };
                };
            };
            default: components["responses"]["Problem"];
        };
    };
}
