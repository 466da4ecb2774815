import { testScreens } from './screens';

testScreens(1440);
