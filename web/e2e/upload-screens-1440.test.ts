import { testUploadScreens } from './upload-screens';

testUploadScreens(1440);
