import { testScreens } from './screens';

testScreens(390);
