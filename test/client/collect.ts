// The items of an asynchronous list, such as the transactions that the client reads page by page.
/** All items, in their order. */
export const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};
