// The theme: light, dark, or the system's. It is stored only in this browser.
export type Theme = 'system' | 'light' | 'dark';

const key = 'dashboard-theme';

export const chosenTheme = (): Theme => {
  try {
    const stored = localStorage.getItem(key);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
};

export const applyTheme = (theme: Theme): void => {
  const { documentElement } = document;
  if (theme === 'system') delete documentElement.dataset.theme;
  else documentElement.dataset.theme = theme;
};

export const chooseTheme = (theme: Theme): void => {
  applyTheme(theme);
  try {
    localStorage.setItem(key, theme);
  } catch {
    // Without storage, the theme lasts until the page is closed.
  }
};
