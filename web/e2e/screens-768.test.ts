import { testScreens } from './screens';

testScreens(768);
