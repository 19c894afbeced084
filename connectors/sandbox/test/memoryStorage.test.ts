// The connector's tests rely on a storage that behaves like the service's.
import { describe } from 'vitest';
import { makeMemoryStorage } from './memoryStorage.ts';
import { storageTests } from './storageTests.ts';

describe("the sandbox's storage in memory", () => storageTests(makeMemoryStorage()));
