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
         * @description Returns the connections that the scoped token covers, oldest first. An anonymous end user has exactly one. A revoked
         *     connection stays in the list, with `revokedAt`, for 30 days by default. Then its data is deleted.
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
                 * @description The id of a connection, `con_` and 22 characters. A malformed id returns 404.
                 * @example con_74tGOzxaRpxZZBf4B0T539
                 */
                connectionId: components["parameters"]["ConnectionId"];
            };
            cookie?: never;
        };
        /**
         * Get connection
         * @description Returns one connection of your application. It contains nothing that is stored encrypted, so the API key is enough. A
         *     revoked connection has `revokedAt` and stays readable for 30 days by default. Then its data is deleted.
         */
        get: operations["getConnection"];
        put?: never;
        post?: never;
        /**
         * Revoke connection
         * @description Permanently ends access to the bank: the service deletes the bank credentials and stops updating balances and
         *     transactions. If the bank keeps a consent, the service ends it within a minute, and keeps the credentials sealed until
         *     then. Existing data stays readable with the same scoped token for 30 days by default, and is then
         *     deleted.
         *
         *     Revoking a revoked connection changes nothing and also returns 204.
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
                 * @description The id of a connection, `con_` and 22 characters. A malformed id returns 404.
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
                 * @description The id of an account, `acc_` and 22 characters. A malformed id returns 404.
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
                 * @description The id of an account, `acc_` and 22 characters. A malformed id returns 404.
                 * @example acc_3nVnx3kVEcA4wxWXfIjhkr
                 */
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        /**
         * List transactions
         * @description Returns an account's transactions by `date`, newest first. Within a day, they follow the bank's order, newest first. With
         *     `refreshedSince`, the list is a change feed: ordered by refresh, oldest first, and within one refresh by `date` as above.
         *     Both orders are total and stable.
         *
         *     Without `limit`, one response returns all transactions, and `hasMore` is false. With `limit`, request the next
         *     page with `nextCursor` and the same filters until `hasMore` is false. `limit` can differ from page to page. A
         *     cursor with other filters or for another account fails with `invalid_cursor`.
         *
         *     Later pages leave out changes by refreshes that ran after you read the first page. No transaction is returned
         *     twice. If a transaction changes while you read pages, the remaining pages leave it out and the next sync returns it.
         *
         *     #### Keeping a copy
         *
         *     For each account, without date filters:
         *
         *     1. Request the list with `refreshedSince` set to the greatest `transactionRefresh` you have received in any
         *        completed sync. On the first sync, omit it.
         *     2. Read all pages until `hasMore` is false. Store each `nextCursor`, and resume from it after a crash. Advance
         *        `refreshedSince` only after the last page.
         *     3. Insert or replace by `id`, unless your copy has a greater `transactionRefresh`.
         *
         *     Compare refresh cursors as strings. If nothing changes during a sync, your copy is then fully up to date, even after
         *     crashes, reconnects or missed refreshes. Never send an account's `lastTransactionRefresh` as `refreshedSince`: that
         *     would skip changes that you have not read. If the bank removes a transaction, it stays in the list with status
         *     `void`.
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
                 * @description The id of an account, `acc_` and 22 characters. A malformed id returns 404.
                 * @example acc_3nVnx3kVEcA4wxWXfIjhkr
                 */
                accountId: components["parameters"]["AccountId"];
                /**
                 * @description The id of a transaction, `txn_` and 22 characters. A malformed id returns 404.
                 * @example txn_2AEyZCFZ0sUup7e6qARNuh
                 */
                transactionId: components["parameters"]["TransactionId"];
            };
            cookie?: never;
        };
        /**
         * Get transaction
         * @description Returns one transaction of the account in the path.
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
                    /** @description The id of the event, the same in every attempt. Process each id only once. */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /** @description The Unix time of this attempt, in seconds. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description One signature, or several separated by spaces while a secret is being replaced. */
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
                    /** @description The id of the event, the same in every attempt. Process each id only once. */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /** @description The Unix time of this attempt, in seconds. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description One signature, or several separated by spaces while a secret is being replaced. */
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
         * The consent of a connection ends soon
         * @description The end user's consent at the bank ends at `consentExpiresAt`. Sent seven days before, by default, and one day before. If the end user reconnects the connection in the widget before then, nothing is interrupted.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The id of the event, the same in every attempt. Process each id only once. */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /** @description The Unix time of this attempt, in seconds. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description One signature, or several separated by spaces while a secret is being replaced. */
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
         * The bank shows an account that is not shared
         * @description A refresh found an account at the bank that the end user has not yet been offered. Sent once for each account. To let the end user share it, open the widget with the `connectionId` and `accountSelection`.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The id of the event, the same in every attempt. Process each id only once. */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /** @description The Unix time of this attempt, in seconds. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description One signature, or several separated by spaces while a secret is being replaced. */
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
                    /** @description The id of the event, the same in every attempt. Process each id only once. */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /** @description The Unix time of this attempt, in seconds. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description One signature, or several separated by spaces while a secret is being replaced. */
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
                    /** @description The id of the event, the same in every attempt. Process each id only once. */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /** @description The Unix time of this attempt, in seconds. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description One signature, or several separated by spaces while a secret is being replaced. */
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
         * @description The data of a revoked connection was deleted.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The id of the event, the same in every attempt. Process each id only once. */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /** @description The Unix time of this attempt, in seconds. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description One signature, or several separated by spaces while a secret is being replaced. */
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
         * Transactions have changed
         * @description A refresh added, changed or voided transactions. Read the changes with the `refreshedSince` that you stored.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The id of the event, the same in every attempt. Process each id only once. */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /** @description The Unix time of this attempt, in seconds. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description One signature, or several separated by spaces while a secret is being replaced. */
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
         * @description Someone requested a test event for this endpoint. Nothing has changed.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The id of the event, the same in every attempt. Process each id only once. */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /** @description The Unix time of this attempt, in seconds. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description One signature, or several separated by spaces while a secret is being replaced. */
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
        /** @description One link of an end user to a bank. */
        Connection: {
            id: components["schemas"]["ConnectionId"];
            institution: components["schemas"]["Institution"];
            status: components["schemas"]["ConnectionStatus"];
            /** @description When the end user connected the bank. */
            createdAt: components["schemas"]["Timestamp"];
            /** @description When the service last read accounts, balances and transactions from the bank, even if nothing had changed. */
            refreshedAt: components["schemas"]["Timestamp"];
            /** @description The accounts whose data is older than `refreshedAt`, because in the last refresh the bank did not respond for them, left out more than half of their posted transactions, or no longer listed them. The service soon retries those that the bank lists. Absent if there are none. */
            laggingAccountIds?: components["schemas"]["AccountId"][];
            /** @description When the end user's consent at the bank ends; the bank then refuses refreshes. If the end user reconnects before then, in the widget opened with the `connectionId`, nothing is interrupted. Absent if the bank does not provide it. */
            consentExpiresAt?: components["schemas"]["Timestamp"];
            /** @description An earlier connection of the same end user that had at least one of the same accounts when this one was created. The same transactions are in both, with different ids. Absent if there was none. */
            duplicateOf?: components["schemas"]["ConnectionId"];
            /** @description When the connection was revoked. Absent until then. */
            revokedAt?: components["schemas"]["Timestamp"];
        };
        /**
         * @description - `active`: the connection is refreshed about every six hours.
         *     - `needs_reconnect`: the bank rejects the credentials, or requires an action by the end user. Existing data stays
         *       readable. Usually, refreshes stop until the end user signs in again, in the widget opened with the
         *       `connectionId`. If the end user must act elsewhere, such as on an aggregator's site, the service retries daily, and
         *       the connection becomes `active` by itself.
         *     - `revoked`: the connection was revoked.
         *
         *     New values may be added: provide a default for those that you do not know.
         * @example active
         */
        ConnectionStatus: 'active' | 'needs_reconnect' | 'revoked' | (string & {});
        /** @description The bank. */
        Institution: {
            /**
             * @description The bank's id, the same for all of its connections.
             * @example sandbox-bank
             */
            id: string;
            /** @example Sandbox Bank */
            name: string;
        };
        /** @description One account that the end user shares through a connection. */
        Account: {
            id: components["schemas"]["AccountId"];
            /** @description The connection that the account belongs to. */
            connectionId: components["schemas"]["ConnectionId"];
            type: components["schemas"]["AccountType"];
            subtype?: components["schemas"]["AccountSubtype"];
            /**
             * @description The account's name at the bank, chosen by the bank or by the end user.
             * @example Everyday Checking
             */
            name: string;
            /**
             * @description The last four digits of the account number; empty if the bank does not provide the number, or if it does not end in
             *     four digits.
             * @example 4821
             */
            lastFour: string;
            /**
             * @description The currency of the account, an ISO 4217 code. It never changes; see `replacedBy`.
             * @example USD
             */
            currency: string;
            balance: components["schemas"]["Balance"];
            /** @description The newest refresh that changed the account's transactions. If it is greater than the `refreshedSince` of your next sync, sync the account. Do not send it as `refreshedSince`: that would skip changes that you have not read. */
            lastTransactionRefresh: components["schemas"]["RefreshCursor"];
            /** @description The account that continues this one after the bank changed the currency. This account keeps its balance and transactions, and is no longer updated. Transactions of the last two weeks before the change become `void` here if the other account has them in the new currency, so that each counts once. Absent otherwise. */
            replacedBy?: components["schemas"]["AccountId"];
            /**
             * Format: date
             * @description The first day from which the transactions are complete, according to the bank. Earlier ones may be missing. Absent if the bank does not provide it.
             * @example 2023-03-01
             */
            historyFrom?: string;
            /** @description When the end user stopped sharing the account. It is no longer updated, and is deleted after 30 days by default, unless the end user shares it again. Absent otherwise. */
            deselectedAt?: components["schemas"]["Timestamp"];
        };
        /**
         * @description The kind of account:
         *
         *     - `depository`: such as a checking or savings account.
         *     - `credit`: such as a credit card.
         *     - `loan`: such as a mortgage.
         *     - `investment`: such as a brokerage account.
         *     - `other`: anything else, or a type that the bank does not provide.
         *
         *     New values may be added: treat an unknown one as `other`.
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
         *     New values may be added: treat an unknown one as absent.
         * @example checking
         */
        AccountSubtype: 'checking' | 'savings' | 'credit_card' | 'line_of_credit' | 'mortgage' | 'brokerage' | 'pension' | (string & {});
        /** @description The last balance that the bank provided; empty if it has never provided one. */
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
            /** @description When the bank computed the balance, else when the service read it. A bare date becomes midnight UTC. */
            asOf?: components["schemas"]["Timestamp"];
        };
        /** @description One transaction of an account. Its id never changes. */
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
             * @description The bank's text for the transaction.
             * @example CORNER COFFEE 0112
             */
            description: string;
            /**
             * @description The bank's reference; empty if the bank provides none.
             * @example PAY-2024-02
             */
            reference: string;
            /**
             * @description The state at the bank. Each change gets a new `transactionRefresh`.
             *
             *     - `pending`: announced, not yet booked. Becomes `posted` or `void`.
             *     - `posted`: booked. Becomes `void` only after it has been missing for 20 hours, because some banks leave out
             *       transactions overnight.
             *     - `void`: removed at the bank.
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
             * @description True if there is a next page.
             * @example true
             */
            hasMore: boolean;
            /**
             * @description The `cursor` of the next page. Present only if `hasMore` is true. You can store it: it does not expire by itself.
             *     After the operator rotates the key that authenticates cursors, it stays valid for at least a day, and then fails
             *     with `invalid_cursor`: request the first page again.
             * @example AWx0c19leGFtcGxlX29mX2FuX29wYXF1ZV9jdXJzb3I
             */
            nextCursor?: string;
        };
        /** @description The response of listConnections. */
        ConnectionList: {
            connections: components["schemas"]["Connection"][];
        };
        /** @description The response of getConnection. */
        ConnectionResponse: {
            connection: components["schemas"]["Connection"];
        };
        /** @description The response of listAccounts. */
        AccountList: {
            accounts: components["schemas"]["Account"][];
        };
        /** @description The response of getAccount. */
        AccountResponse: {
            account: components["schemas"]["Account"];
        };
        /** @description The response of listTransactions. */
        TransactionList: {
            transactions: components["schemas"]["Transaction"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The response of getTransaction. */
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
         * @description Identifies a refresh of an account's transactions: `txr_` and 26 characters. Compared as strings, the cursors of
         *     one account sort from oldest to newest.
         */
        RefreshCursor: string;
        /**
         * Format: date-time
         * @description A time in UTC, to the millisecond.
         * @example 2024-02-20T16:45:12.345Z
         */
        Timestamp: string;
        /** @description A problem document (RFC 9457). */
        Problem: {
            /**
             * Format: uri
             * @description The URL on this service that explains the code.
             * @example https://bank.example.com/problems/not_found
             */
            type: string;
            /**
             * @description A short summary of the code.
             * @example Not found
             */
            title: string;
            /**
             * @description The status of the response.
             * @example 404
             */
            status: number;
            /**
             * @description The error of this request, in a sentence.
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
            /** @description With status 400, one item for each invalid parameter. */
            errors?: components["schemas"]["ParameterError"][];
        };
        /** @description An error in one parameter. */
        ParameterError: {
            /**
             * @description The parameter, as `/query/` and its name; `date[gte]` is `/query/date/gte`.
             * @example /query/limit
             */
            path: string;
            /**
             * @description The error, as a phrase.
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
        /** @description The end user's consent at the bank ends soon. */
        ConnectionExpiringEvent: {
            /** @constant */
            type: "connection.expiring";
            timestamp: components["schemas"]["EventTimestamp"];
            data: components["schemas"]["ExpiringData"];
        };
        /** @description The bank shows an account that is not shared. */
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
        /** @description Transactions have changed. */
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
         * @description When the event happened. Always the actual time, even if the Sandbox clock has been advanced.
         * @example 2024-02-24T09:00:00.000Z
         */
        EventTimestamp: string;
        /** @description The connection that the event is about. */
        ConnectionData: {
            connectionId: components["schemas"]["ConnectionId"];
        };
        /** @description The connection that the event is about, and when its consent ends. */
        ExpiringData: {
            connectionId: components["schemas"]["ConnectionId"];
            consentExpiresAt: components["schemas"]["Timestamp"];
        };
        /** @description The connection that the event is about, and why the end user must act. */
        ReconnectData: {
            connectionId: components["schemas"]["ConnectionId"];
            reason: components["schemas"]["ReconnectReason"];
        };
        /**
         * @description - `wrong_credentials`, `wrong_answer`: the bank rejected the credentials, or the answer to its challenge.
         *     - `locked`: the bank has locked the login.
         *     - `denied`: the end user denied access at the bank, or did not approve it in time.
         *     - `user_action_required`: the bank requires an action that only the end user can take.
         *     - `no_accounts`: the login has no accounts.
         *     - `consent_expired`: the end user's consent at the bank has ended.
         *     - `fingerprint_key_lost`: the service can no longer match the bank's data with stored data. Reconnecting does not
         *       help: revoke the connection, and let the end user connect the bank again.
         *
         *     New values may be added: treat an unknown one as `user_action_required`.
         * @example wrong_credentials
         */
        ReconnectReason: 'wrong_credentials' | 'wrong_answer' | 'locked' | 'denied' | 'user_action_required' | 'no_accounts' | 'consent_expired' | 'fingerprint_key_lost' | (string & {});
        /** @description The connection that the event is about, and its accounts whose transactions changed. */
        TransactionsUpdatedData: {
            connectionId: components["schemas"]["ConnectionId"];
            accounts: components["schemas"]["UpdatedAccount"][];
        };
        /** @description An account whose transactions have changed. */
        UpdatedAccount: {
            id: components["schemas"]["AccountId"];
            /** @description The refresh that changed the transactions. Do not send it as `refreshedSince`: that would skip changes that you have not read. */
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
         *     it; otherwise, `detail` is always the same.
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
         *     If the header is missing, `detail` names it; otherwise, `detail` is always the same.
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
        /** @description There is no such connection or account, or no such transaction in this account (`not_found`). */
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
         * @description The id of a connection, `con_` and 22 characters. A malformed id returns 404.
         * @example con_74tGOzxaRpxZZBf4B0T539
         */
        ConnectionId: string;
        /**
         * @description The id of an account, `acc_` and 22 characters. A malformed id returns 404.
         * @example acc_3nVnx3kVEcA4wxWXfIjhkr
         */
        AccountId: string;
        /**
         * @description The id of a transaction, `txn_` and 22 characters. A malformed id returns 404.
         * @example txn_2AEyZCFZ0sUup7e6qARNuh
         */
        TransactionId: string;
        /**
         * @description The opaque `nextCursor` of the previous page. Send the same filters with it. An altered cursor, or one for other
         *     filters or another account, fails with `invalid_cursor`.
         */
        Cursor: string;
        /** @description The maximum number of transactions to return. Without it, all are returned. */
        Limit: number;
        /**
         * @description Returns only transactions that were created or changed by a refresh after this one, ordered by refresh, oldest first.
         *     Send the greatest `transactionRefresh` of your completed syncs, never an account's `lastTransactionRefresh`.
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
        /** @description The id of the event, the same in every attempt. Process each id only once. */
        WebhookId: string;
        /** @description The Unix time of this attempt, in seconds. */
        WebhookTimestamp: string;
        /** @description One signature, or several separated by spaces while a secret is being replaced. */
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
         * @description The scheme that `Authorization` must use.
         * @example Bearer
         */
        WwwAuthenticate: string;
        /**
         * @description The seconds to wait before the next request.
         * @example 7
         */
        RetryAfter: number;
        /**
         * @description The remaining requests (`r`), and the seconds until the limit resets (`t`).
         * @example "default";r=5999;t=42
         */
        RateLimit: string;
        /**
         * @description The limit, `q` requests in `w` seconds.
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
                 * @description The id of a connection, `con_` and 22 characters. A malformed id returns 404.
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
                 * @description The id of a connection, `con_` and 22 characters. A malformed id returns 404.
                 * @example con_74tGOzxaRpxZZBf4B0T539
                 */
                connectionId: components["parameters"]["ConnectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection is revoked. There is no body. */
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
                 * @description The id of a connection, `con_` and 22 characters. A malformed id returns 404.
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
                 * @description The id of an account, `acc_` and 22 characters. A malformed id returns 404.
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
                 * @description The opaque `nextCursor` of the previous page. Send the same filters with it. An altered cursor, or one for other
                 *     filters or another account, fails with `invalid_cursor`.
                 */
                cursor?: components["parameters"]["Cursor"];
                /** @description The maximum number of transactions to return. Without it, all are returned. */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Returns only transactions that were created or changed by a refresh after this one, ordered by refresh, oldest first.
                 *     Send the greatest `transactionRefresh` of your completed syncs, never an account's `lastTransactionRefresh`.
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
                 * @description The id of an account, `acc_` and 22 characters. A malformed id returns 404.
                 * @example acc_3nVnx3kVEcA4wxWXfIjhkr
                 */
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transactions, or one page of them. */
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
                 * @description The id of an account, `acc_` and 22 characters. A malformed id returns 404.
                 * @example acc_3nVnx3kVEcA4wxWXfIjhkr
                 */
                accountId: components["parameters"]["AccountId"];
                /**
                 * @description The id of a transaction, `txn_` and 22 characters. A malformed id returns 404.
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
