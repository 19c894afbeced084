// The entry point: styles, query cache, locale and router around the App.
import '@fontsource-variable/figtree/wght.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/surfaces.css';
import './styles/tables.css';
import './styles/shell.css';
import './styles/charts.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { options } from 'preact';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { App } from './App.tsx';
import { queryClient } from './api/queryClient.ts';
import { applyTheme, chosenTheme } from './shell/theme.ts';

// Effects run before the next event, as in React, instead of after the next frame: otherwise, a form submitted right after the
// last key press would send the previous value.
options.requestAnimationFrame = queueMicrotask;

applyTheme(chosenTheme());

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Router base="/dashboard">
        <App />
      </Router>
    </QueryClientProvider>
  </StrictMode>,
);
