// The card while the page waits for the service: the shape of the first screen, and a spinner after a while.
import { type Bone, bonesOf } from '../../skeleton.ts';
import { t } from '../texts/texts.ts';
import { Spinner } from './Spinner.tsx';

const styleOf = ([start, top, width, height]: Bone) => ({
  insetInlineStart: `${start}px`,
  insetBlockStart: `${top}px`,
  inlineSize: `min(${width}px, 100% - ${start + 24}px)`,
  blockSize: `${height}px`,
});

/** Matches what the loader shows before the page is loaded. */
export const Skeleton = () => (
  <div class="skeleton">
    <div class="bones">
      {bonesOf('consent').map((bone) => (
        <span key={bone.join()} class="bone" style={styleOf(bone)} />
      ))}
    </div>
    <span class="bone button" />
    <Spinner label={t.loading} />
  </div>
);
