// The public interface of the connector kit.
export * from './contract.ts';
export * from './days.ts';
export * from './decimal.ts';
export * from './defineConnector.ts';
export * from './errors.ts';
export * from './guardedRequest.ts';
export * from './ipFilter.ts';
export * from './logo.ts';
export * from './readSeparately.ts';
export * from './text.ts';
export * from './withTimeout.ts';
export * from './withValidation.ts';
