// Says something to screen readers that the eye sees anyway, through the one live region of the dialog.

export const announcerId = 'announcer';

/** Emptied first, so that the same words twice are said twice. */
export const announce = (text: string): void => {
  const region = document.getElementById(announcerId);
  if (!region) return;
  region.textContent = '';
  setTimeout(() => {
    region.textContent = text;
  }, 50);
};
