// Finds out why the page could not be loaded. Browsers do not report it, so the loader asks the service. For developers, in
// English.

export type LoadFailure = {
  /** For the console and `onError`. */
  reason: string;
  /** True if the panel shows the reason, which is not useful to end users of Production applications. */
  shown: boolean;
};

/** Asks the service at the address `base` whether this page may open the widget. Never throws. */
export const findLoadFailure = async (base: string, applicationId: string): Promise<LoadFailure> => {
  try {
    const response = await fetch(`${base}connect/api/applications/${applicationId}/embedding`);
    // `detail` is that of a problem: there is no such application.
    const { environment, advice, detail } = await response.json();
    const reason = advice ?? detail;
    return {
      reason: reason ?? 'The widget’s page did not respond.',
      shown: reason && environment !== 'production',
    };
  } catch {
    return { reason: `${base} did not respond.`, shown: false };
  }
};
