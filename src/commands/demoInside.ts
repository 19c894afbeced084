// The inside of the service as the demo shows it. Only the demo's process calls this, for the demo's own Sandbox application.
import type { DemoInside } from '../demo/inside.ts';
import type { Service } from '../service.ts';

export const makeDemoInside = ({ registry }: Service): DemoInside => ({
  logoOf: (institutionId) => registry.find('sandbox', institutionId)?.profile.logo,
});
