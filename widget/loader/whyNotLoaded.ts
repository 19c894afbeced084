// Asks the service why the page could not be loaded, because browsers do not report the reason. For developers, in English.

export type LoadFailure = {
  /** For the console and `onError`. */
  reason: string;
  /** True if the panel shows the reason. End users of Production applications would not benefit from it. */
  shown: boolean;
};

/** Asks the service at the URL `base` if this page may open the widget. Never throws. */
export const findLoadFailure = async (base: string, applicationId: string): Promise<LoadFailure> => {
  try {
    const response = await fetch(`${base}connect/api/applications/${applicationId}/embedding`);
    // `detail` is from a problem document: the application does not exist.
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
