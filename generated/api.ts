// Generated from openapi.yaml by `npm run generate`. Do not edit.

export interface paths {
    "/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List connections
         * @description Returns the connections that the scoped token covers, oldest first. An anonymous end user has exactly one. A
         *     revoked connection stays in the list with `revokedAt` for 30 days by default. Then its data is deleted.
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
    "/connections/{connectionId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A connection's id: `con_` followed by 22 characters. A malformed id returns 404.
                 * @example con_74tGOzxaRpxZZBf4B0T539
                 */
                connectionId: components["parameters"]["ConnectionId"];
            };
            cookie?: never;
        };
        /**
         * Get connection
         * @description Returns one of your application's connections. The response contains no encrypted data, so it requires only the
         *     API key. A revoked connection has `revokedAt` and stays readable for 30 days by default. Then its data is
         *     deleted.
         */
        get: operations["getConnection"];
        put?: never;
        post?: never;
        /**
         * Revoke connection
         * @description Permanently ends access to the bank. The service deletes the bank credentials and stops updating balances and
         *     transactions. If the bank holds a consent, the service ends it within a minute and keeps the
         *     sealed credentials until then. Existing data stays readable with the same scoped token for 30 days by default.
         *     Then it is deleted.
         *
         *     Revoking a connection again changes nothing and also returns 204.
         */
        delete: operations["revokeConnection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{connectionId}/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A connection's id: `con_` followed by 22 characters. A malformed id returns 404.
                 * @example con_74tGOzxaRpxZZBf4B0T539
                 */
                connectionId: components["parameters"]["ConnectionId"];
            };
            cookie?: never;
        };
        /**
         * List accounts
         * @description Returns the accounts that the end user shared through this connection, in the bank's order.
         */
        get: operations["listAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{accountId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An account's id: `acc_` followed by 22 characters. A malformed id returns 404.
                 * @example acc_3nVnx3kVEcA4wxWXfIjhkr
                 */
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        /**
         * Get account
         * @description Returns one account with its last known balance.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{accountId}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An account's id: `acc_` followed by 22 characters. A malformed id returns 404.
                 * @example acc_3nVnx3kVEcA4wxWXfIjhkr
                 */
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        /**
         * List transactions
         * @description Returns an account's transactions sorted by `date`, newest first. Transactions from the same day keep the bank's
         *     order, newest first. With `refreshedSince`, the list is a change feed, sorted by refresh, oldest first. Within a
         *     refresh, transactions are sorted by `date` as above. Both orders are total and stable.
         *
         *     Without `limit`, one response returns all transactions, and `hasMore` is false. With `limit`, request the next
         *     page with `nextCursor` as `cursor` and the same filters, until `hasMore` is false. `limit` can differ between
         *     pages. A cursor fails with `invalid_cursor` if the filters or the account differ.
         *
         *     Later pages exclude changes from refreshes that ran after you read the first page. No transaction is returned
         *     twice. If a transaction changes while you paginate, the remaining pages omit it and the next sync returns it.
         *
         *     #### Keeping a copy
         *
         *     For each account, without date filters:
         *
         *     1. Request the list with `refreshedSince` set to the greatest `transactionRefresh` from all completed syncs.
         *        Omit it on the first sync.
         *     2. Read pages until `hasMore` is false. Store each `nextCursor` so that you can resume after a crash.
         *        Advance `refreshedSince` only after the last page.
         *     3. Insert or replace by `id`, unless your copy has a greater `transactionRefresh`.
         *
         *     Compare refresh cursors as strings. Even after crashes, reconnects or missed refreshes, a sync leaves your copy
         *     fully up to date unless something changes while it runs. Never send an account's `lastTransactionRefresh` as
         *     `refreshedSince`: you would skip changes that you have not read. A transaction that the bank removes stays in
         *     the list with status `void`.
         */
        get: operations["listTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{accountId}/transactions/{transactionId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An account's id: `acc_` followed by 22 characters. A malformed id returns 404.
                 * @example acc_3nVnx3kVEcA4wxWXfIjhkr
                 */
                accountId: components["parameters"]["AccountId"];
                /**
                 * @description A transaction's id: `txn_` followed by 22 characters. A malformed id returns 404.
                 * @example txn_2AEyZCFZ0sUup7e6qARNuh
                 */
                transactionId: components["parameters"]["TransactionId"];
            };
            cookie?: never;
        };
        /**
         * Get transaction
         * @description Returns one of the account's transactions.
         */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "connection.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A connection was created
         * @description An end user created a connection, and your page received the result. The connection's transactions are ready to read.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event's id, which is the same for every attempt. Process each id only once. */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /** @description The Unix time of this attempt, in seconds. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description One or more signatures separated by spaces. There are several while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConnectionCreatedEvent"];
                };
            };
            responses: {
                /** @description Any 2xx status acknowledges the event. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.needs_reconnect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A connection needs action from its end user
         * @description The end user must reconnect the connection in the widget, or complete the action that the bank requires.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event's id, which is the same for every attempt. Process each id only once. */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /** @description The Unix time of this attempt, in seconds. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description One or more signatures separated by spaces. There are several while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConnectionNeedsReconnectEvent"];
                };
            };
            responses: {
                /** @description Any 2xx status acknowledges the event. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A connection's consent expires soon
         * @description The end user's consent at the bank expires at `consentExpiresAt`. This event is sent seven days (by default) and one day beforehand. If the end user reconnects in the widget before the consent expires, there is no interruption.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event's id, which is the same for every attempt. Process each id only once. */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /** @description The Unix time of this attempt, in seconds. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description One or more signatures separated by spaces. There are several while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConnectionExpiringEvent"];
                };
            };
            responses: {
                /** @description Any 2xx status acknowledges the event. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.accounts_available": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An account is available to share
         * @description A refresh found an account at the bank that the end user has not been offered yet. This event is sent once for each account. To let the end user share the account, open the widget with `connectionId` and `accountSelection`.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event's id, which is the same for every attempt. Process each id only once. */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /** @description The Unix time of this attempt, in seconds. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description One or more signatures separated by spaces. There are several while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConnectionAccountsAvailableEvent"];
                };
            };
            responses: {
                /** @description Any 2xx status acknowledges the event. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.restored": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A connection was restored
         * @description The end user reconnected the connection, or completed the action that the bank required. Refreshes have resumed.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event's id, which is the same for every attempt. Process each id only once. */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /** @description The Unix time of this attempt, in seconds. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description One or more signatures separated by spaces. There are several while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConnectionRestoredEvent"];
                };
            };
            responses: {
                /** @description Any 2xx status acknowledges the event. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A connection was revoked
         * @description The connection was revoked through this API, in the dashboard or on the command line. Its data stays readable for 30 days by default.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event's id, which is the same for every attempt. Process each id only once. */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /** @description The Unix time of this attempt, in seconds. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description One or more signatures separated by spaces. There are several while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConnectionRevokedEvent"];
                };
            };
            responses: {
                /** @description Any 2xx status acknowledges the event. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A connection was deleted
         * @description A revoked connection's data was deleted.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event's id, which is the same for every attempt. Process each id only once. */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /** @description The Unix time of this attempt, in seconds. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description One or more signatures separated by spaces. There are several while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConnectionDeletedEvent"];
                };
            };
            responses: {
                /** @description Any 2xx status acknowledges the event. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transactions.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transactions changed
         * @description A refresh added, changed or voided transactions. Read the changes with your stored `refreshedSince`.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event's id, which is the same for every attempt. Process each id only once. */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /** @description The Unix time of this attempt, in seconds. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description One or more signatures separated by spaces. There are several while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TransactionsUpdatedEvent"];
                };
            };
            responses: {
                /** @description Any 2xx status acknowledges the event. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A test event
         * @description Someone requested a test event for this endpoint. No data has changed.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event's id, which is the same for every attempt. Process each id only once. */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /** @description The Unix time of this attempt, in seconds. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description One or more signatures separated by spaces. There are several while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookTestEvent"];
                };
            };
            responses: {
                /** @description Any 2xx status acknowledges the event. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description An end user's link to a bank. */
        Connection: {
            id: components["schemas"]["ConnectionId"];
            institution: components["schemas"]["Institution"];
            status: components["schemas"]["ConnectionStatus"];
            /** @description When the end user connected the bank. */
            createdAt: components["schemas"]["Timestamp"];
            /** @description When the service last fetched accounts, balances and transactions from the bank, even if nothing changed. */
            refreshedAt: components["schemas"]["Timestamp"];
            /** @description The accounts whose data is older than `refreshedAt`. In the last refresh, the bank did not respond for these accounts, left out more than half of their posted transactions, or no longer listed them. The service will soon retry the accounts that the bank lists. Absent if there are none. */
            laggingAccountIds?: components["schemas"]["AccountId"][];
            /** @description When the end user's consent at the bank expires. From then on, the bank refuses refreshes. To avoid an interruption, open the widget with the `connectionId` before this time and let the end user reconnect. Absent if the bank does not provide it. */
            consentExpiresAt?: components["schemas"]["Timestamp"];
            /** @description An earlier connection of the same end user that had at least one account in common with this connection when this connection was created. Both connections contain that account's transactions, with different ids. Absent if there was none. */
            duplicateOf?: components["schemas"]["ConnectionId"];
            /** @description When the connection was revoked. Absent until then. */
            revokedAt?: components["schemas"]["Timestamp"];
        };
        /**
         * @description - `active`: the connection is refreshed about every six hours.
         *     - `needs_reconnect`: the bank rejects the credentials or requires an action by the end user. Existing data stays
         *       readable. Refreshes usually stop until the end user signs in again: open the widget with the `connectionId`.
         *       If the end user must act elsewhere, such as on an aggregator's site, the service retries daily and the
         *       connection becomes `active` automatically.
         *     - `revoked`: the connection was revoked.
         *
         *     New values may be added: provide a default for unknown values.
         * @example active
         */
        ConnectionStatus: 'active' | 'needs_reconnect' | 'revoked' | (string & {});
        /** @description The bank. */
        Institution: {
            /**
             * @description The bank's id, which is the same for all of its connections.
             * @example sandbox-bank
             */
            id: string;
            /** @example Sandbox Bank */
            name: string;
        };
        /** @description An account that the end user shares through a connection. */
        Account: {
            id: components["schemas"]["AccountId"];
            /** @description The connection that the account belongs to. */
            connectionId: components["schemas"]["ConnectionId"];
            type: components["schemas"]["AccountType"];
            subtype?: components["schemas"]["AccountSubtype"];
            /**
             * @description The account's name at the bank, chosen by the bank or the end user.
             * @example Everyday Checking
             */
            name: string;
            /**
             * @description The last four digits of the account number. Empty if the bank does not provide the number, or if the number
             *     does not end in four digits.
             * @example 4821
             */
            lastFour: string;
            /**
             * @description The account's currency as an ISO 4217 code. It never changes; see `replacedBy`.
             * @example USD
             */
            currency: string;
            balance: components["schemas"]["Balance"];
            /** @description The latest refresh that changed the account's transactions. Sync the account if this value is greater than your stored `refreshedSince`. Do not send this value as `refreshedSince`: you would skip changes that you have not read. */
            lastTransactionRefresh: components["schemas"]["RefreshCursor"];
            /** @description The account that replaced this one after the bank changed its currency. This account keeps its balance and transactions but is no longer updated. Transactions from the two weeks before the change become `void` here if the new account has them in the new currency, so that each counts once. Absent if this account was not replaced. */
            replacedBy?: components["schemas"]["AccountId"];
            /**
             * Format: date
             * @description The date from which the transactions are complete, according to the bank. Earlier transactions may be missing. Absent if the bank does not provide it.
             * @example 2023-03-01
             */
            historyFrom?: string;
            /** @description When the end user stopped sharing the account. The account is no longer updated. It is deleted after 30 days by default, unless the end user shares it again. Absent while the account is shared. */
            deselectedAt?: components["schemas"]["Timestamp"];
        };
        /**
         * @description The type of the account:
         *
         *     - `depository`: for example, a checking or savings account.
         *     - `credit`: for example, a credit card.
         *     - `loan`: for example, a mortgage.
         *     - `investment`: for example, a brokerage account.
         *     - `other`: anything else, including when the bank does not provide the type.
         *
         *     New values may be added: treat unknown values as `other`.
         * @example depository
         */
        AccountType: 'depository' | 'credit' | 'loan' | 'investment' | 'other' | (string & {});
        /**
         * @description A more specific account type. Absent if the bank does not provide it.
         *
         *     - `checking`
         *     - `savings`
         *     - `credit_card`
         *     - `line_of_credit`
         *     - `mortgage`
         *     - `brokerage`
         *     - `pension`
         *
         *     New values may be added: treat unknown values as absent.
         * @example checking
         */
        AccountSubtype: 'checking' | 'savings' | 'credit_card' | 'line_of_credit' | 'mortgage' | 'brokerage' | 'pension' | (string & {});
        /** @description The latest balance that the bank provided. Empty if it has never provided one. */
        Balance: {
            /**
             * @description The balance. Negative if money is owed, as on a credit card.
             * @example 1520.75
             */
            current?: number;
            /**
             * @description The amount that the end user can spend. Absent if the bank does not provide it.
             * @example 1498.25
             */
            available?: number;
            /**
             * @description The credit limit. Absent if the bank does not provide it.
             * @example 3000
             */
            limit?: number;
            /** @description When the bank computed the balance or, if the bank does not provide this time, when the service read the balance. A date without a time becomes midnight UTC. */
            asOf?: components["schemas"]["Timestamp"];
        };
        /** @description A transaction of an account. Its id never changes. */
        Transaction: {
            id: components["schemas"]["TransactionId"];
            /** @description The account that the transaction belongs to. */
            accountId: components["schemas"]["AccountId"];
            /**
             * @description The amount in the account's currency. Negative for money out, positive for money in.
             * @example -4.75
             */
            amount: number;
            /**
             * Format: date
             * @description The date of the transaction, as provided by the bank.
             * @example 2024-02-24
             */
            date: string;
            /**
             * @description The bank's description of the transaction.
             * @example CORNER COFFEE 0112
             */
            description: string;
            /**
             * @description The bank's reference. Empty if the bank provides none.
             * @example PAY-2024-02
             */
            reference: string;
            /**
             * @description The state of the transaction at the bank. Each change sets a new `transactionRefresh`.
             *
             *     - `pending`: reported but not yet booked. Becomes `posted` or `void`.
             *     - `posted`: booked. Becomes `void` only after the bank has omitted it for 20 hours, because some banks omit
             *       transactions overnight.
             *     - `void`: removed by the bank.
             * @example posted
             * @enum {string}
             */
            status: "pending" | "posted" | "void";
            /** @description The refresh that created the transaction or last changed it. */
            transactionRefresh: components["schemas"]["RefreshCursor"];
        };
        /** @description The cursor of the next page, if there is one. */
        Pagination: {
            /**
             * @description Whether there is a next page.
             * @example true
             */
            hasMore: boolean;
            /**
             * @description The `cursor` of the next page. Present only if `hasMore` is true. You can store the cursor: it does not
             *     expire on its own. After the operator rotates the key that authenticates cursors, the cursor stays valid for
             *     at least a day. Then it fails with `invalid_cursor`, and you must request the first page again.
             * @example AWx0c19leGFtcGxlX29mX2FuX29wYXF1ZV9jdXJzb3I
             */
            nextCursor?: string;
        };
        /** @description The response to listConnections. */
        ConnectionList: {
            connections: components["schemas"]["Connection"][];
        };
        /** @description The response to getConnection. */
        ConnectionResponse: {
            connection: components["schemas"]["Connection"];
        };
        /** @description The response to listAccounts. */
        AccountList: {
            accounts: components["schemas"]["Account"][];
        };
        /** @description The response to getAccount. */
        AccountResponse: {
            account: components["schemas"]["Account"];
        };
        /** @description The response to listTransactions. */
        TransactionList: {
            transactions: components["schemas"]["Transaction"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The response to getTransaction. */
        TransactionResponse: {
            transaction: components["schemas"]["Transaction"];
        };
        /**
         * @description A connection's id. The part after the prefix is opaque.
         * @example con_74tGOzxaRpxZZBf4B0T539
         */
        ConnectionId: string;
        /**
         * @description An account's id. The part after the prefix is opaque.
         * @example acc_3nVnx3kVEcA4wxWXfIjhkr
         */
        AccountId: string;
        /**
         * @description A transaction's id. The part after the prefix is opaque.
         * @example txn_2AEyZCFZ0sUup7e6qARNuh
         */
        TransactionId: string;
        /**
         * @description Identifies a refresh of an account's transactions: `txr_` followed by 26 characters. An account's cursors sort
         *     from oldest to newest when compared as strings.
         */
        RefreshCursor: string;
        /**
         * Format: date-time
         * @description A UTC time with millisecond precision.
         * @example 2024-02-20T16:45:12.345Z
         */
        Timestamp: string;
        /** @description A problem document (RFC 9457). */
        Problem: {
            /**
             * Format: uri
             * @description A URL on this service that explains the code.
             * @example https://bank.example.com/problems/not_found
             */
            type: string;
            /**
             * @description A short summary of the code.
             * @example Not found
             */
            title: string;
            /**
             * @description The HTTP status of the response.
             * @example 404
             */
            status: number;
            /**
             * @description A sentence that explains the error in this request.
             * @example The account was not found.
             */
            detail: string;
            /**
             * @description The error code.
             * @example not_found
             * @enum {string}
             */
            code: "invalid_request" | "invalid_cursor" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "rate_limited" | "internal_error" | "unavailable";
            /**
             * @description The `Request-Id` header of the same response.
             * @example 4bf92f3577b34da6a3ce929d0e0e4736
             */
            requestId: string;
            /** @description One item for each invalid parameter. Present only with status 400. */
            errors?: components["schemas"]["ParameterError"][];
        };
        /** @description An invalid parameter. */
        ParameterError: {
            /**
             * @description The path of the parameter, such as `/query/limit`, or `/query/date/gte` for `date[gte]`.
             * @example /query/limit
             */
            path: string;
            /**
             * @description A phrase that explains the error.
             * @example must be <= 1000
             */
            message: string;
        };
        /** @description A connection was created. */
        ConnectionCreatedEvent: {
            /** @constant */
            type: "connection.created";
            timestamp: components["schemas"]["EventTimestamp"];
            data: components["schemas"]["ConnectionData"];
        };
        /** @description A connection needs action from its end user. */
        ConnectionNeedsReconnectEvent: {
            /** @constant */
            type: "connection.needs_reconnect";
            timestamp: components["schemas"]["EventTimestamp"];
            data: components["schemas"]["ReconnectData"];
        };
        /** @description The end user's consent at the bank expires soon. */
        ConnectionExpiringEvent: {
            /** @constant */
            type: "connection.expiring";
            timestamp: components["schemas"]["EventTimestamp"];
            data: components["schemas"]["ExpiringData"];
        };
        /** @description An account is available to share. */
        ConnectionAccountsAvailableEvent: {
            /** @constant */
            type: "connection.accounts_available";
            timestamp: components["schemas"]["EventTimestamp"];
            data: components["schemas"]["ConnectionData"];
        };
        /** @description A connection was restored. */
        ConnectionRestoredEvent: {
            /** @constant */
            type: "connection.restored";
            timestamp: components["schemas"]["EventTimestamp"];
            data: components["schemas"]["ConnectionData"];
        };
        /** @description A connection was revoked. */
        ConnectionRevokedEvent: {
            /** @constant */
            type: "connection.revoked";
            timestamp: components["schemas"]["EventTimestamp"];
            data: components["schemas"]["ConnectionData"];
        };
        /** @description A connection was deleted. */
        ConnectionDeletedEvent: {
            /** @constant */
            type: "connection.deleted";
            timestamp: components["schemas"]["EventTimestamp"];
            data: components["schemas"]["ConnectionData"];
        };
        /** @description Transactions changed. */
        TransactionsUpdatedEvent: {
            /** @constant */
            type: "transactions.updated";
            timestamp: components["schemas"]["EventTimestamp"];
            data: components["schemas"]["TransactionsUpdatedData"];
        };
        /** @description A test event. */
        WebhookTestEvent: {
            /** @constant */
            type: "webhook.test";
            timestamp: components["schemas"]["EventTimestamp"];
            data: components["schemas"]["TestData"];
        };
        /**
         * Format: date-time
         * @description When the event happened. Always the real time, even if the Sandbox clock has been advanced.
         * @example 2024-02-24T09:00:00.000Z
         */
        EventTimestamp: string;
        /** @description The affected connection. */
        ConnectionData: {
            connectionId: components["schemas"]["ConnectionId"];
        };
        /** @description The affected connection, and when its consent expires. */
        ExpiringData: {
            connectionId: components["schemas"]["ConnectionId"];
            consentExpiresAt: components["schemas"]["Timestamp"];
        };
        /** @description The affected connection, and why the end user must act. */
        ReconnectData: {
            connectionId: components["schemas"]["ConnectionId"];
            reason: components["schemas"]["ReconnectReason"];
        };
        /**
         * @description - `wrong_credentials`, `wrong_answer`: the bank rejected the credentials or the answer to its challenge.
         *     - `locked`: the bank has locked the login.
         *     - `denied`: the end user denied access at the bank, or did not approve it in time.
         *     - `user_action_required`: the bank requires an action that only the end user can take.
         *     - `no_accounts`: the login has no accounts.
         *     - `consent_expired`: the end user's consent at the bank has expired.
         *     - `fingerprint_key_lost`: the service can no longer match the bank's data with stored data. Reconnecting does
         *       not help: revoke the connection and let the end user connect the bank again.
         *
         *     New values may be added: treat unknown values as `user_action_required`.
         * @example wrong_credentials
         */
        ReconnectReason: 'wrong_credentials' | 'wrong_answer' | 'locked' | 'denied' | 'user_action_required' | 'no_accounts' | 'consent_expired' | 'fingerprint_key_lost' | (string & {});
        /** @description The affected connection and those of its accounts whose transactions changed. */
        TransactionsUpdatedData: {
            connectionId: components["schemas"]["ConnectionId"];
            accounts: components["schemas"]["UpdatedAccount"][];
        };
        /** @description An account whose transactions changed. */
        UpdatedAccount: {
            id: components["schemas"]["AccountId"];
            /** @description The refresh that changed the transactions. Do not send it as `refreshedSince`: you would skip changes that you have not read. */
            lastTransactionRefresh: components["schemas"]["RefreshCursor"];
        };
        /** @description Empty. */
        TestData: Record<string, never>;
    };
    responses: {
        /** @description The request has an unknown parameter (`invalid_request`). */
        BadRequest: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "API-Version": components["headers"]["ApiVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @constant */
                    code?: "invalid_request";
                };
            };
        };
        /**
         * @description A parameter is malformed, out of range or unknown (`invalid_request`), or the cursor does not belong to this
         *     list (`invalid_cursor`).
         */
        BadListRequest: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "API-Version": components["headers"]["ApiVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {string} */
                    code?: "invalid_request" | "invalid_cursor";
                };
            };
        };
        /**
         * @description The API key is missing, malformed, revoked or expired (`unauthorized`). If the header is missing, `detail` names
         *     it. Otherwise, `detail` is always the same.
         */
        Unauthorized: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "API-Version": components["headers"]["ApiVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 401;
                    /** @constant */
                    code?: "unauthorized";
                };
            };
        };
        /**
         * @description The credentials do not allow this (`forbidden`):
         *
         *     - The scoped token is missing or malformed, or belongs to another application.
         *     - The resource is outside the token's scope, or belongs to another application.
         *
         *     If the header is missing, `detail` names it. Otherwise, `detail` is always the same.
         */
        Forbidden: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "API-Version": components["headers"]["ApiVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @constant */
                    code?: "forbidden";
                };
            };
        };
        /** @description The connection or account does not exist, or the account has no such transaction (`not_found`). */
        NotFound: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "API-Version": components["headers"]["ApiVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 404;
                    /** @constant */
                    code?: "not_found";
                };
            };
        };
        /** @description Too many requests (`rate_limited`). Retry after the number of seconds in `Retry-After`. */
        RateLimited: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "API-Version": components["headers"]["ApiVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Retry-After": components["headers"]["RetryAfter"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 429;
                    /** @constant */
                    code?: "rate_limited";
                };
            };
        };
        /** @description The service failed (`internal_error`). */
        InternalError: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "API-Version": components["headers"]["ApiVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 500;
                    /** @constant */
                    code?: "internal_error";
                };
            };
        };
        /** @description The service is temporarily unavailable (`unavailable`). Retry later. */
        Unavailable: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "API-Version": components["headers"]["ApiVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 503;
                    /** @constant */
                    code?: "unavailable";
                };
            };
        };
    };
    parameters: {
        /**
         * @description A connection's id: `con_` followed by 22 characters. A malformed id returns 404.
         * @example con_74tGOzxaRpxZZBf4B0T539
         */
        ConnectionId: string;
        /**
         * @description An account's id: `acc_` followed by 22 characters. A malformed id returns 404.
         * @example acc_3nVnx3kVEcA4wxWXfIjhkr
         */
        AccountId: string;
        /**
         * @description A transaction's id: `txn_` followed by 22 characters. A malformed id returns 404.
         * @example txn_2AEyZCFZ0sUup7e6qARNuh
         */
        TransactionId: string;
        /**
         * @description The opaque `nextCursor` of the previous page. Send it with the same filters. A cursor fails with
         *     `invalid_cursor` if it was altered, or if the filters or the account differ.
         */
        Cursor: string;
        /** @description The maximum number of transactions to return. If omitted, all are returned. */
        Limit: number;
        /**
         * @description Returns only transactions created or changed by a refresh after this cursor, sorted by refresh, oldest first.
         *     Send the greatest `transactionRefresh` from your completed syncs, never an account's `lastTransactionRefresh`.
         */
        RefreshedSince: components["schemas"]["RefreshCursor"];
        /**
         * @description Returns only transactions in this date range. Combine `date[gte]`, `date[lte]`, `date[gt]` and `date[lt]`, as in
         *     `date[gte]=2024-02-01&date[lt]=2024-03-01`.
         */
        DateFilter: {
            /**
             * Format: date
             * @description On or after this date.
             */
            gte?: string;
            /**
             * Format: date
             * @description On or before this date.
             */
            lte?: string;
            /**
             * Format: date
             * @description After this date.
             */
            gt?: string;
            /**
             * Format: date
             * @description Before this date.
             */
            lt?: string;
        };
        /** @description The event's id, which is the same for every attempt. Process each id only once. */
        WebhookId: string;
        /** @description The Unix time of this attempt, in seconds. */
        WebhookTimestamp: string;
        /** @description One or more signatures separated by spaces. There are several while a secret is being rotated. */
        WebhookSignature: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The request's id in the service's logs. Include it when you ask for help.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        RequestId: string;
        /**
         * @description The version of this API.
         * @example 2024-01-01
         */
        ApiVersion: "2024-01-01";
        /**
         * @description Responses must not be cached.
         * @example no-store
         */
        CacheControl: "no-store";
        /**
         * @description The authentication scheme that `Authorization` must use.
         * @example Bearer
         */
        WwwAuthenticate: string;
        /**
         * @description The number of seconds to wait before the next request.
         * @example 7
         */
        RetryAfter: number;
        /**
         * @description The remaining requests (`r`) and the seconds until the limit resets (`t`).
         * @example "default";r=5999;t=42
         */
        RateLimit: string;
        /**
         * @description The limit: `q` requests in `w` seconds.
         * @example "default";q=6000;w=60
         */
        RateLimitPolicy: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listConnections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connections, oldest first. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
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
                 * @description A connection's id: `con_` followed by 22 characters. A malformed id returns 404.
                 * @example con_74tGOzxaRpxZZBf4B0T539
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
                    "Request-Id": components["headers"]["RequestId"];
                    "API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
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
                 * @description A connection's id: `con_` followed by 22 characters. A malformed id returns 404.
                 * @example con_74tGOzxaRpxZZBf4B0T539
                 */
                connectionId: components["parameters"]["ConnectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection is revoked. The response has no body. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A connection's id: `con_` followed by 22 characters. A malformed id returns 404.
                 * @example con_74tGOzxaRpxZZBf4B0T539
                 */
                connectionId: components["parameters"]["ConnectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The accounts, in the bank's order. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An account's id: `acc_` followed by 22 characters. A malformed id returns 404.
                 * @example acc_3nVnx3kVEcA4wxWXfIjhkr
                 */
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /**
                 * @description The opaque `nextCursor` of the previous page. Send it with the same filters. A cursor fails with
                 *     `invalid_cursor` if it was altered, or if the filters or the account differ.
                 */
                cursor?: components["parameters"]["Cursor"];
                /** @description The maximum number of transactions to return. If omitted, all are returned. */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Returns only transactions created or changed by a refresh after this cursor, sorted by refresh, oldest first.
                 *     Send the greatest `transactionRefresh` from your completed syncs, never an account's `lastTransactionRefresh`.
                 */
                refreshedSince?: components["parameters"]["RefreshedSince"];
                /**
                 * @description Returns only transactions in this date range. Combine `date[gte]`, `date[lte]`, `date[gt]` and `date[lt]`, as in
                 *     `date[gte]=2024-02-01&date[lt]=2024-03-01`.
                 */
                date?: components["parameters"]["DateFilter"];
            };
            header?: never;
            path: {
                /**
                 * @description An account's id: `acc_` followed by 22 characters. A malformed id returns 404.
                 * @example acc_3nVnx3kVEcA4wxWXfIjhkr
                 */
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All transactions, or one page of them. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionList"];
                };
            };
            400: components["responses"]["BadListRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An account's id: `acc_` followed by 22 characters. A malformed id returns 404.
                 * @example acc_3nVnx3kVEcA4wxWXfIjhkr
                 */
                accountId: components["parameters"]["AccountId"];
                /**
                 * @description A transaction's id: `txn_` followed by 22 characters. A malformed id returns 404.
                 * @example txn_2AEyZCFZ0sUup7e6qARNuh
                 */
                transactionId: components["parameters"]["TransactionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
