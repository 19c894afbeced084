// Vite fills these in from the environment; see vite.config.ts.
declare const BASE_URL: string;
declare const APPLICATION_ID: string;

export const baseUrl = BASE_URL;
export const applicationId = APPLICATION_ID;
