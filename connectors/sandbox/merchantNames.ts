// Fictitious names of merchants, employers and landlords. `min` and `max` are the amounts of one purchase in euro cents.

type Merchant = readonly [name: string, min: number, max: number];

export const groceries: readonly Merchant[] = [
  ['GREENLEAF MARKET', 890, 7450],
  ['CORNER PANTRY', 310, 2480],
  ['HOLLOWAY FOODS', 1240, 9680],
  ['MILLSTONE BAKERY', 240, 1390],
  ['FRESH & NEAR 0417', 560, 5230],
  ['SUNDAY FARM SHOP', 780, 3890],
];

export const discretionary: readonly Merchant[] = [
  ['BLUE HARBOUR COFFEE', 290, 980],
  ['NOODLE HOUSE NO 9', 1090, 3640],
  ['TRATTORIA LIMONE', 1850, 7820],
  ['PAGETURNER BOOKS', 799, 4590],
  ['CINEMA ORION', 950, 3200],
  ['NORTHLINE RAILWAYS', 480, 8990],
  ['CITY BIKES', 150, 1200],
  ['PETROL STATION EAST', 2500, 8800],
  ['LANTERN STREAMING', 999, 1499],
  ['OAK & IRON HARDWARE', 460, 14900],
  ['DAYLIGHT PHARMACY', 340, 4270],
  ['WOOL AND THREAD', 1490, 11900],
  ['PIXEL APP STORE', 99, 1999],
  ['HOTEL BELLEVUE', 7900, 24800],
];

export const employers = [
  'BRIGHTWATER ENGINEERING',
  'HALVORSEN LOGISTICS',
  'ST ANNE CITY HOSPITAL',
  'MERIDIAN SOFTWARE',
  'TALLOW & SONS',
] as const;

export const landlords = ['ELM COURT PROPERTIES', 'R VASQUEZ', 'QUAYSIDE HOMES', 'J OKAFOR'] as const;
