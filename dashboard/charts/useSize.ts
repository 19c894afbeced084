// Tracks the size of an element, in pixels.
import { type RefObject, useEffect, useRef, useState } from 'react';

export type Size = { width: number; height: number };

export const useSize = (): [RefObject<HTMLDivElement | null>, Size | undefined] => {
  const element = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>();
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      setSize({ width, height });
    });
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  return [element, size];
};
