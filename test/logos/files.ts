// Small files of each kind, 16 by 8 pixels, as written by a browser.
const decode = (text: string): Buffer => Buffer.from(text, 'base64');

export const png = decode(
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAICAYAAADwdn+XAAAAJklEQVR4AeyQoQ0AAAjDmllORfC/giMmMGtSW1FVzzoKkwTg/8EBAAD//0KgpMcAAAAGSURBVAMAm4ceUfB0XnMAAAAASUVORK5CYII=',
);
export const jpeg = decode(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAIABADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABAX/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCMAQkP/9k=',
);
export const lossyWebp = decode(
  'UklGRjIAAABXRUJQVlA4ICYAAABwAQCdASoQAAgAAsBMJaACdAFAAAD+7c7c7VsfZ9/4D+Jf2BYgAA==',
);
export const losslessWebp = decode('UklGRh4AAABXRUJQVlA4TBEAAAAvD8ABAAfQtS70rf+BiOh/AAA=');
export const extendedWebp = decode(
  'UklGRmQAAABXRUJQVlA4WAoAAAAQAAAADwAABwAAQUxQSBUAAAABDzD/ERGCTNomUP+Od05ERP8D1gMAVlA4ICgAAABwAQCdASoQAAgAAsBMJYgCdAFAAAD+7cq6A79Hp/0XTiaydP5r5wAA',
);

/** The PNG with a different width and height in its header. */
export const pngOfSize = (width: number, height: number): Buffer => {
  const file = Buffer.from(png);
  file.writeUInt32BE(width, 16);
  file.writeUInt32BE(height, 20);
  return file;
};
